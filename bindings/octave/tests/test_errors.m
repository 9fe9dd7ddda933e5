% What is refused: with an identifier okra:STATUS, in words that name the place and what is known, and without a trace.

function test_errors()
  refused('okra:recipe', {'norma', 'rff-klms', 'aldkrls'}, @() okra('norma'));
  refused('okra:parameter', {'klms', 'foo', 'eta', 'kernelpar', 'when-full'}, @() okra('klms', struct('foo', 1)));
  refused('okra:parameter', {'rff-klms', 'foo', 'sigma', 'features', 'lags'}, @() okra('rff-klms', struct('foo', 1)));
  refused('okra:parameter', {'eta', 'mu', 'same'}, @() okra('klms', 'eta', 1, 'mu', 1));
  refused('okra:parameter', {'mu = -1'}, @() okra('rff-klms', 'mu', -1));
  refused('okra:parameter', {'features'}, @() okra('rff-klms', 'features', 2.5));
  refused('okra:parameter', {'mu'}, @() okra('rff-klms', 'mu', {1}));
  refused('okra:parameter', {'mu'}, @() okra('rff-klms', 'mu', []));
  refused('okra:parameter', {'mu'}, @() okra('rff-klms', 'mu', 1i));
  refused('okra:parameter', {'map', 'rff'}, @() okra('rff-klms', 'map', 'none'));
  refused('okra:parameter', {'laplace', 'gauss'}, @() okra('klms', struct('kerneltype', 'laplace')));
  refused('okra:parameter', {'scale', 'none', 'auto'}, @() okra('klms', 'scale', 'large'));
  refused('okra:parameter', {'loss', 'huber', 'quantile'}, @() okra('rff-klms', 'loss', 'robust'));
  refused('okra:parameter', {'leak = 4', 'mu'}, @() okra('rff-klms', 'mu', 1, 'leak', 4));
  refused('okra:parameter', {'forget', 'exponential', 'prior'}, @() okra('rff-krls', 'forget', 'slowly'));
  refused('okra:parameter', {'mu = auto', 'rff-apa'}, @() okra('rff-apa', 'mu', 'auto'));
  refused('okra:parameter', {'lags'}, @() okra('klms', 'lags', -1));
  refused('okra:parameter', {'pairs'}, @() okra('klms', 'mu'));
  refused('okra:parameter', {'pairs'}, @() okra('klms', 3, 4));
  refused('okra:parameter', {'omega', 'phase'}, @() okra('rff-klms', 'omega', ones(3, 2), 'phase', [1, 2]));
  refused('okra:parameter', {'omega is complex'}, @() okra('rff-klms', 'omega', 1i * ones(3, 2), 'phase', [1; 2; 3]));
  refused('okra:parameter', {'phase is complex'}, @() okra('rff-klms', 'omega', ones(3, 2), 'phase', [1; 2; 3i]));
  refused('okra:parameter', {'lags'}, @() okra('klms', 'lags', 2 + 1i));
  refused('okra:parameter', {'whole number'}, @() okra_signal('ex2', 10 + 1i));
  refused('okra:parameter', {'seed'}, @() okra_signal('ex2', 10, struct('seed', 1 + 1i)));
  refused('okra:parameter', {'noise', 'real'}, @() okra_signal('ex2', 10, struct('noise', 1i)));
  refused('okra:parameter', {'help okra'}, @() okra_mex('nonsense'));
  refused('okra:parameter', {'help okra'}, @() okra_mex());
  refused('okra:parameter', {'help okra'}, @() okra_mex('run', 1));
  refused('okra:parameter', {'okra(recipe'}, @() okra_mex('create', 'lms', 1, 1, 1, 1, [], []));

  kaf = okra('rff-klms', 'sigma', 5);
  refused('okra:null', {'train first'}, @() kaf.predict(ones(1, 5)));
  refused('okra:null', {'train first'}, @() kaf.stats());
  [X, y] = okra_signal('ex2', 700);
  kaf.run(X, y);
  before = kaf.state('theta');
  bad = X;
  bad(600, 2) = NaN;
  refused('okra:parameter', {'X has 4 columns', '5 inputs'}, @() kaf.evaluate(X(:, 1:4)));
  refused('okra:parameter', {'X has 1 columns'}, @() kaf.train(X(1, :)', y(1)));
  refused('okra:parameter', {'Y has 2 columns', '1 outputs'}, @() kaf.train(X, [y, y]));
  refused('okra:parameter', {'Y has 3 rows', '700'}, @() kaf.run(X, y(1:3)));
  refused('okra:parameter', {'weights'}, @() kaf.run(X, y, ones(3, 1)));
  refused('okra:parameter', {'X', 'full real'}, @() kaf.evaluate(sparse(X)));
  refused('okra:parameter', {'X is complex', 'real(X)', 'two columns'}, @() kaf.evaluate(1i * X));
  refused('okra:parameter', {'X is complex'}, @() kaf.train(single(1i * X), y));
  refused('okra:parameter', {'Y is complex'}, @() kaf.run(X, y + 1i));
  refused('okra:parameter', {'weights is complex'}, @() kaf.run(X, y, y + 1i));
  refused('okra:parameter', {'X', 'full real'}, @() kaf.evaluate(int32(X)));
  refused('okra:parameter', {'X', 'full real'}, @() kaf.evaluate('text'));
  refused('okra:parameter', {'X', 'full real'}, @() kaf.evaluate(zeros(2, 5, 2)));
  refused('okra:parameter', {'X', 'full real'}, @() kaf.evaluate({}));
  refused('okra:sample', {'row 600 of 700'}, @() kaf.evaluate(bad));
  refused('okra:sample', {'NaN'}, @() kaf.train(bad(600, :), y(1)));
  refused('okra:sample', {'weight'}, @() kaf.run(X(1, :), y(1), -1));
  refused('okra:unsupported', {'rff-klms', 'krls'}, @() ask_for_two(@() kaf.predict(X)));
  refused('okra:unsupported', {'rff-klms', 'krls'}, @() ask_for_two(@() kaf.run(X, y)));
  refused('okra:array', {'weights', 'theta', 'omega'}, @() kaf.state('weights'));
  assert(kaf.state('theta'), before);
  assert(kaf.stats().learnt, 700);

  % The rows before a refused one are learnt.
  refused('okra:sample', {'row 600 of 700'}, @() kaf.run(bad, y));
  assert(kaf.stats().learnt, 700 + 599);

  % Divergence is told before it happens.
  wild = okra('lms', struct('mu', 1e20));
  refused('okra:diverged', {'lower the step size'}, @() wild.run(1e10 * X, y));
  ordered = okra('rff-klms', 'lags', 2);
  ordered.run(X, y);
  refused('okra:unsupported', {'use run'}, @() ordered.evaluate(X));
end

function ask_for_two(call)
  [~, ~] = call();
end
