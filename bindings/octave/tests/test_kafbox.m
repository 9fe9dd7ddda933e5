% A script in the manner of KAFBOX, with the one word changed, against the algorithms written out here from their papers
% with KAFBOX's parameters: every name of the table, its meaning and its default.

function test_kafbox()
  rand('state', 7);
  randn('state', 7);
  n = 400;
  X = randn(n, 3);
  y = sin(2 * X(:, 1)) + 0.3 * X(:, 2) .* X(:, 3) + 0.05 * randn(n, 1);

  a_typical_script(X, y);

  s = struct('kerneltype', 'gauss', 'kernelpar', 1.5);
  compare('klms', set_fields(s, 'eta', 0.3), @(p) written_klms(X, y, p), X, y);
  compare('qklms', set_fields(s, 'eta', 0.3, 'epsu', 0.8), @(p) written_qklms(X, y, p), X, y);
  compare('knlms', set_fields(s, 'eta', 0.4, 'mu0', 0.7, 'eps', 1e-3), @(p) written_knlms(X, y, p), X, y);
  compare('knlmscc', set_fields(s, 'eta', 0.4, 'mu0', 0.7, 'eps', 1e-3), @(p) written_knlms(X, y, p), X, y);
  fX = X(1:200, :);
  fy = y(1:200);
  compare('krls', set_fields(s, 'nu', 0.05, 'M', 20), @(p) written_krls(fX, fy, p), fX, fy);
  compare('aldkrls', set_fields(s, 'nu', 0.05), @(p) written_krls(fX, fy, p), fX, fy);

  % The linear ones have a bias beside the inputs: KAFBOX's with a column of ones are the same filters.
  ones_beside = [X, ones(n, 1)];
  compare('lms', struct('mu', 0.02), @(p) written_lms(ones_beside, y, p), X, y);
  compare('nlms', struct('mu', 0.3, 'eps', 1e-2), @(p) written_nlms(ones_beside, y, p), X, y);
  compare('rls', struct('lambda', 0.97, 'c', 1e-2), @(p) written_rls(ones_beside, y, p), X, y);

  % Defaults are KAFBOX's; what its scripts leave out means the same here.
  defaults = struct('kerneltype', 'gauss', 'kernelpar', 1);
  compare('klms', struct(), @(p) written_klms(X, y, set_fields(defaults, 'eta', 0.5)), X, y);
  compare('qklms', struct(), @(p) written_qklms(X, y, set_fields(defaults, 'eta', 0.9, 'epsu', 0.1)), X, y);
  compare('knlms', struct(), @(p) written_knlms(X, y, set_fields(defaults, 'eta', 0.1, 'mu0', 0.9, 'eps', 1e-4)), X, y);
  compare('krls', struct(), @(p) written_krls(fX, fy, set_fields(defaults, 'nu', 1e-4)), fX, fy);
  compare('lms', struct(), @(p) written_lms(ones_beside, y, struct('mu', 0.2)), X, y);
  compare('nlms', struct(), @(p) written_nlms(ones_beside, y, struct('mu', 0.9, 'eps', 1e-6)), X, y);
  compare('rls', struct(), @(p) written_rls(ones_beside, y, struct('lambda', 0.99, 'c', 1e-4)), X, y);
  p = in_force(okra('rffklms'), X, y);
  assert([p.mu, p.features, p.sigma, p.seed], [0.45, 1000, 1, 1]);

  % The step of rffklms with features of one's own, as KAFBOX takes it.
  W = randn(50, 3);
  b = 2 * pi * rand(50, 1);
  compare('rffklms', struct('mu', 0.8, 'D', 50, 'omega', W, 'b', b), @(p) written_rffklms(X, y, p), X, y);

  % A centre at distance epsu exactly is used again: on a grid this happens all the time.
  grid = round(2 * X);
  p = set_fields(s, 'eta', 0.3, 'epsu', 2);
  compare('qklms', p, @(p) written_qklms(grid, y, p), grid, y);
  p.epsu = 0;
  compare('qklms', p, @(p) written_qklms(grid, y, p), grid, y);

  dialects(X, y);
end

% What a user of that toolbox has on disk; only the constructor's word is okra's.
function a_typical_script(X, Y)
  setups = {
    okra('rffklms', struct('D', 200, 'mu', 1, 'kerneltype', 'gauss', 'kernelpar', 1.5));
    okra('klms', struct('eta', 0.4, 'M', 300, 'kerneltype', 'gauss', 'kernelpar', 1.5));
    okra('qklms', struct('eta', 0.5, 'epsu', 0.5, 'kerneltype', 'gauss', 'kernelpar', 1.5));
    okra('aldkrls', struct('nu', 1e-2, 'kerneltype', 'gauss', 'kernelpar', 1.5));
  };
  N = size(X, 1);
  for j = 1:numel(setups)
    kaf = setups{j};
    Y_est = zeros(N, 1);
    for i = 1:N
      Y_est(i) = kaf.evaluate(X(i, :));   % predict the next output
      if mod(j, 2)
        kaf = kaf.train(X(i, :), Y(i));   % as version 1 had it
      else
        kaf.train(X(i, :), Y(i));         % as version 2 has it
      end
    end
    SE = (Y - Y_est) .^ 2;
    assert(mean(SE(N / 2:end)) < 0.6 * var(Y));
    Y_test = kaf.evaluate(X(1:10, :));
    assert(size(Y_test), [10, 1]);
  end
end

function dialects(X, y)
  % 'rls' is a name of both languages; lambda is forgetting in the one and regularisation in the other.
  p = in_force(okra('rls', struct('lambda', 0.98)), X, y);
  assert([p.beta, p.lambda, p.cyclic], [0.98, 1e-4, 0]);
  p = in_force(okra('rls', struct('lambda', 0.98, 'dialect', 'okra')), X, y);
  assert([p.beta, p.lambda], [1, 0.98]);
  assert(p.cyclic, 'auto');

  % okra's names are understood beside KAFBOX's, dashes and underscores alike, and win over KAFBOX's defaults.
  p = in_force(okra('klms', struct('eta', 0.3, 'sigma', 2, 'when_full', 'oldest', 'capacity', 7)), X, y);
  assert([p.mu, p.sigma, p.capacity], [0.3, 2, 7]);
  assert(p.when_full, 'oldest');
  p = in_force(okra('nc-klms', 'novelty-distance', 0.2, 'when-full', 'error'), X, y);
  assert(p.novelty_distance, 0.2);
  assert(p.when_full, 'error');

  % A dictionary that KAFBOX would let grow says when it is full.
  kaf = okra('qklms', struct('epsu', 0, 'capacity', 5));
  refused('okra:full', {'row 6 of 400'}, @() kaf.run(X, y));
end

% The parameters of a filter that has learnt.
function p = in_force(kaf, X, y)
  kaf.run(X, y);
  p = kaf.parameters();
end

% Within rounding, relative to the largest prediction. The reference for krls solves with K, whose condition number is at
% most centres / nu, 1e6 here: 1e-16 becomes 1e-10.
function compare(name, parameters, reference, X, y)
  kaf = okra(name, parameters);
  ours = kaf.run(X, y);
  theirs = reference(parameters);
  off = max(abs(ours - theirs)) / max(abs(theirs));
  bound = 1e-11;
  if ~isempty(strfind(name, 'krls')), bound = 1e-8; end
  if off >= bound || isnan(off)
    error('%s is off by %g', name, off);
  end
end

% ---- the algorithms, written out ---------------------------------------------------------------------------------

function k = gauss(A, x, width)
  k = exp(-sum((A - x) .^ 2, 2) / (2 * width ^ 2));
end

% Linear in z, with a step that may depend on z.
function yhat = written_steps(Z, y, step)
  yhat = zeros(size(y));
  w = zeros(size(Z, 2), 1);
  for i = 1:numel(y)
    yhat(i) = Z(i, :) * w;
    w = w + step(Z(i, :)) * (y(i) - yhat(i)) * Z(i, :)';
  end
end

% KAFBOX predicts by the mean of weighted cosines, w'c / D.
function yhat = written_rffklms(X, y, p)
  yhat = written_steps(cos(X * p.omega' + p.b') / sqrt(p.D), y, @(z) p.mu);
end

function yhat = written_lms(X, y, p)
  yhat = written_steps(X, y, @(x) p.mu);
end

function yhat = written_nlms(X, y, p)
  yhat = written_steps(X, y, @(x) p.mu / (p.eps + x * x'));
end

% The nearest centre is used again within a squared distance: in klms never.
function yhat = written_centres(X, y, p, within)
  yhat = zeros(size(y));
  C = zeros(0, size(X, 2));
  a = [];
  for i = 1:numel(y)
    nearest = Inf;
    if ~isempty(a)
      yhat(i) = a' * gauss(C, X(i, :), p.kernelpar);
      [nearest, at] = min(sum((C - X(i, :)) .^ 2, 2));
    end
    if nearest <= within
      a(at) = a(at) + p.eta * (y(i) - yhat(i));
    else
      C = [C; X(i, :)];
      a = [a; p.eta * (y(i) - yhat(i))];
    end
  end
end

function yhat = written_klms(X, y, p)
  yhat = written_centres(X, y, p, -1);
end

function yhat = written_qklms(X, y, p)
  yhat = written_centres(X, y, p, p.epsu ^ 2);
end

function yhat = written_knlms(X, y, p)
  yhat = zeros(size(y));
  C = zeros(0, size(X, 2));
  a = [];
  for i = 1:numel(y)
    h = gauss(C, X(i, :), p.kernelpar);
    if ~isempty(a), yhat(i) = a' * h; end
    if isempty(a) || max(h) <= p.mu0
      C = [C; X(i, :)];
      a = [a; 0];
      h = [h; 1];
    end
    a = a + p.eta / (p.eps + h' * h) * (y(i) - a' * h) * h;
  end
end

% Engel's KRLS by its definition: least squares of all samples so far on the centres' span, with A the coordinates of each
% sample there; a full dictionary only gains rows of A. Solved again at each sample.
function yhat = written_krls(X, y, p)
  most = Inf;
  if isfield(p, 'M'), most = p.M; end
  yhat = zeros(size(y));
  C = X(1, :);
  A = 1;
  a = y(1);
  for i = 2:numel(y)
    K = gauss_matrix(C, p.kernelpar);
    k = gauss(C, X(i, :), p.kernelpar);
    yhat(i) = a' * k;
    coordinates = K \ k;
    if 1 - k' * coordinates > p.nu && size(C, 1) < most
      C = [C; X(i, :)];
      A = [A, zeros(i - 1, 1); zeros(1, size(A, 2)), 1];
    else
      A = [A; coordinates'];
    end
    a = gauss_matrix(C, p.kernelpar) \ (A \ y(1:i));
  end
end

function K = gauss_matrix(C, width)
  K = zeros(size(C, 1));
  for i = 1:size(C, 1)
    K(:, i) = gauss(C, C(i, :), width);
  end
end

% Weighted least squares, solved again at each sample: sum of lambda^(i-j) e_j^2 + lambda^i c |w|^2.
function yhat = written_rls(X, y, p)
  yhat = zeros(size(y));
  R = p.c * eye(size(X, 2));
  r = zeros(size(X, 2), 1);
  for i = 1:numel(y)
    yhat(i) = X(i, :) * (R \ r);
    R = p.lambda * R + X(i, :)' * X(i, :);
    r = p.lambda * r + X(i, :)' * y(i);
  end
end
