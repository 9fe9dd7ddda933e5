% Blocks, steps, outputs, weights, precisions, variances, models: what the gateway makes of matrices.

function test_learning()
  [X, y] = okra_signal('ex2', 1500);
  for recipe = {'rff-klms', 'qklms', 'krls', 'rls'}
    kaf = okra(recipe{1}, 'dialect', 'okra');
    block_equals_steps(kaf, X, y);
  end
  several_outputs(X, y);
  weighted(X, y);
  two_halves(X, y, 'f64');
  two_halves(X, y, 'f32');
  losses(X, y);
  precisions(X, y);
  deviations(X, y);
  of_models(X, y);
  looking(X, y);
end

% More than one piece of the gateway's, and rows at the cuts.
function block_equals_steps(kaf, X, y)
  block = kaf.run(X, y);
  later = kaf.evaluate(X);
  kaf.reset();
  steps = zeros(size(y));
  for i = 1:numel(y)
    steps(i) = kaf.evaluate(X(i, :));
    kaf.train(X(i, :), y(i));
  end
  assert(steps, block);
  assert(kaf.evaluate(X), later);
  kaf.reset();
  assert(kaf.evaluate(X), zeros(size(y)));
  assert(kaf.run(X(1:0, :), y(1:0)), zeros(0, 1));
  assert(kaf.evaluate(zeros(0, 5)), zeros(0, 1));
end

% LMS on several outputs is as many filters on one.
function several_outputs(X, y)
  Y = [y, -3 * y + 1, X(:, 2)];
  kaf = okra('rff-klms', 'sigma', 5);
  all_at_once = kaf.run(X, Y);
  assert(size(all_at_once), size(Y));
  assert(size(kaf.state('theta')), [3, 300]);
  for j = 1:3
    one = okra('rff-klms', 'sigma', 5);
    assert(all_at_once(:, j), one.run(X, Y(:, j)), 1e-12 * max(abs(Y(:, j))));
  end
end

% A weight is on the error: LMS with weight 1/2 is LMS with half the step, and 0 learns nothing.
function weighted(X, y)
  half = okra('rff-klms', 'sigma', 5, 'mu', 0.5);
  heavy = okra('rff-klms', 'sigma', 5, 'mu', 1);
  assert(heavy.run(X, y, 0.5 * ones(size(y))), half.run(X, y));
  kaf = okra('rff-klms', 'sigma', 5);
  assert(kaf.run(X, y, zeros(size(y))), zeros(size(y)));
end

% A step in two halves is a step, with a weight that is known only in between.
function two_halves(X, y, precision)
  halves = okra('rff-krls', 'sigma', 5, 'precision', precision);
  steps = okra('rff-krls', 'sigma', 5, 'precision', precision);
  for i = 1:50
    said = halves.begin(X(i, :));
    weight = 1 / (1 + abs(double(said) - y(i)));
    halves.commit(y(i), weight);
    assert(steps.run(X(i, :), y(i), weight), said);
  end
  assert(halves.state('theta'), steps.state('theta'));
  refused('okra:order', {'no row was begun: call begin() before commit()'}, @() halves.commit(1));
  refused('okra:parameter', {'X has 2 rows: a step takes one'}, @() halves.begin(X(1:2, :)));
  refused('okra:parameter', {'Y has 2 columns'}, @() halves.commit([1, 2]));
  halves.begin(X(1, :));
  refused('okra:parameter', {'weight has 2 columns'}, @() halves.commit(1, [1, 2]));
  refused('okra:parameter', {'weight is complex'}, @() halves.commit(1, 1i));
  halves.commit(y(1));
  assert(halves.stats().learnt, 51);
end

% A loss is a weight: Huber's is min(1, c/|e|). What else algorithms take: the names, and that each makes a difference.
function losses(X, y)
  robust = okra('rff-klms', 'sigma', 5, 'loss', 'huber', 'loss_scale', 0.5);
  weighed = okra('rff-klms', 'sigma', 5);
  for i = 1:50
    yhat = weighed.begin(X(i, :));
    weighed.commit(y(i), min(1, 0.5 / abs(y(i) - yhat)));
    assert(robust.run(X(i, :), y(i)), yhat);
  end
  for more = {{'rff-klms', 'loss', 'mcc'}, {'rff-klms', 'loss', 'cauchy'}, {'rff-klms', 'leak', 0.01}, ...
              {'rff-klms', 'loss', 'quantile', 'quantile', 0.9}, {'rff-nlms', 'mu', 'auto'}, ...
              {'rff-krls', 'beta', 0.99, 'forget', 'prior'}, {'rff-apa', 'order', 2}, {'rff-apsm', 'tolerance', 0.2}}
    with = okra(more{1}{:}, 'sigma', 5);
    without = okra(more{1}{1:end - 2}, 'sigma', 5);
    yhat = with.run(X, y);
    assert(~isequal(yhat, without.run(X, y)));
    assert(mean((y(751:end) - yhat(751:end)) .^ 2) < var(y));
  end
end

% Any class of matrix into either precision.
function precisions(X, y)
  double_kaf = okra('rff-klms', 'sigma', 5);
  single_kaf = okra('rff-klms', 'sigma', 5, 'precision', 'f32');
  from_singles = double_kaf.run(single(X), single(y));
  assert(class(from_singles), 'double');
  twin = okra('rff-klms', 'sigma', 5);
  assert(from_singles, twin.run(double(single(X)), double(single(y))));
  a = single_kaf.run(X, y);
  assert(class(a), 'single');
  single_kaf.reset();
  assert(single_kaf.run(single(X), single(y)), a);
  assert(class(single_kaf.state('theta')), 'single');
  assert(double(a), from_singles, 1e-4);
end

% The variance of least squares, from the definition: noise estimate (1 + x'Px), P = (sum x x' + lambda I)^-1.
function deviations(X, y)
  kaf = okra('rls', 'lambda', 1e-2, 'dialect', 'okra');
  kaf.run(X, y);
  [yhat, s] = kaf.predict(X(1:4, :));
  Z = [X, ones(size(y))];
  P = inv(Z' * Z + 1e-2 * eye(6));
  leverage = 1 + diag(Z(1:4, :) * P * Z(1:4, :)');
  assert(s .^ 2 ./ s(1) ^ 2, leverage / leverage(1), 1e-9);
  assert(yhat, Z(1:4, :) * (P * Z' * y), 1e-9);
  assert(s(1) ^ 2 / mean((y - Z * (P * Z' * y)) .^ 2), 1, 0.2);

  % In a stream: each row's deviation is the one it had before it was learnt.
  for recipe = {'rff-krls', 'krls'}
    kaf = okra(recipe{1}, 'sigma', 5, 'dialect', 'okra');
    [yhat, s] = kaf.run(X(1:600, :), y(1:600));
    twin = okra(recipe{1}, 'sigma', 5, 'dialect', 'okra');
    twin.run(X(1:599, :), y(1:599));
    [yhat600, s600] = twin.predict(X(600, :));
    assert([yhat(600), s(600)], [yhat600, s600]);
    covered = mean(abs(y(201:600) - yhat(201:600)) < 1.96 * s(201:600));
    assert(covered > 0.85 && covered < 0.995);
  end
end

% Models: width and scale found, lags kept, labels that are not known yet.
function of_models(X, y)
  kaf = okra('rff-krls', 'sigma', 'auto', 'scale', 'auto');
  yhat = kaf.run(1000 * X, 50 * y + 7);
  plain = okra('rff-krls', 'sigma', 'auto', 'scale', 'auto');
  unscaled = plain.run(X, y);
  assert(yhat(2:end), 50 * unscaled(2:end) + 7, 1e-5 * max(abs(yhat))); % the first row is said to be 0

  % Asking changes nothing.
  twin = kaf.copy();
  kaf.evaluate(X(1:50, :));
  assert(kaf.run(X, y), twin.run(X, y));

  % Lags of the model, and lags made by hand.
  [none, series] = okra_signal('mackey-glass', 800);
  kaf = okra('rff-krls', 'target_lags', 4);
  yhat = kaf.run(none, series);
  assert(all(isnan(yhat(1:4))));
  by_hand = okra('rff-krls');
  embedded = [series(4:end - 1), series(3:end - 2), series(2:end - 3), series(1:end - 4)];
  assert(yhat(5:end), by_hand.run(embedded, series(5:end)), 1e-9);
  next = kaf.run(zeros(1, 0), NaN);
  assert(next, by_hand.evaluate(series(end:-1:end - 3)'), 1e-9);
end

function looking(X, y)
  kaf = okra('qklms', struct('epsu', 1.5, 'kernelpar', 2));
  assert(isempty(kaf.dict) && isempty(kaf.alpha) && isempty(kaf.w));
  kaf.run(X, y);
  k = exp(-sum((kaf.dict - X(3, :)) .^ 2, 2) / 8);
  assert(k' * kaf.alpha, kaf.evaluate(X(3, :)), 1e-10);
  assert(size(kaf.dict, 1), kaf.stats().centres);
  kaf = okra('nlms');
  kaf.run(X, y);
  assert([X(3, :), 1] * kaf.w, kaf.evaluate(X(3, :)), 1e-12);
  assert(kaf.recipe, 'nlms');

  % theta and the features are what predictions are made of; frequencies are in cycles.
  kaf = okra('rff-klms', 'sigma', 5);
  kaf.run(X, y);
  z = sqrt(2 / 300) * cos(2 * pi * (kaf.state('omega') * X(3, :)' + kaf.state('phase')(:)));
  assert(kaf.state('theta') * z, kaf.evaluate(X(3, :)), 1e-10);
  assert(kaf.state(), {'theta'; 'omega'; 'phase'});
  assert(kaf.stats().learnt, 1500);
  refused('okra:unsupported', {'recipe auto'}, @() kaf.relevance());
  kaf = okra('auto', 'features', 50);
  kaf.run(X(1:300, :), sin(2 * X(1:300, 2)));
  r = kaf.relevance();
  assert(size(r), [1, 5]);
  assert(sum(r), 1, 1e-12);
  assert(r(2) > 0.8);
  kaf = okra('rff-klms', 'sigma', 5);
  kaf.run(X, y);
  text = evalc('disp(kaf)');
  assert(~isempty(strfind(text, 'rff-klms sigma=5, 1500 samples')));
  list = okra.recipes();
  assert(any(strcmp('rff-klms', {list.name})));
  assert(list(2).parameters.features, 300);
  assert(okra.version(), '0.1.0');
end
