% Golden vectors: what KAFBOX 2.2 predicted on a stream (tests/golden/README.md), said again by okra under KAFBOX's names
% and meanings: as its scripts do, a sample at a time, and as a block. The bounds are those of tests/cli/test_golden.c.

function test_golden()
  folder = getenv('OKRA_GOLDEN_DIR');
  stream = read_table(fullfile(folder, 'stream.csv'));
  features = read_table(fullfile(folder, 'features.csv'));
  golden = read_table(fullfile(folder, 'predictions.csv'));
  X = [stream.x1, stream.x2, stream.x3, stream.x4, stream.x5];
  y = stream.y;
  W = features.data(:, 1:5);
  b = features.data(:, 6);

  kafbox = struct('kerneltype', 'gauss', 'kernelpar', 5);
  with = @(varargin) set_fields(kafbox, varargin{:});
  agrees('rffklms', okra('rffklms', with('D', 300, 'mu', 2, 'omega', W, 'b', b)), X, y, golden.rffklms, 1e-10);
  agrees('qklms', okra('qklms', with('eta', 1, 'epsu', sqrt(5))), X, y, golden.qklms, 1e-9);
  agrees('klms', okra('klms', with('eta', 1, 'M', Inf)), X, y, golden.klms, 1e-9);
  agrees('knlms', okra('knlms', with('mu0', 0.97, 'eta', 0.5, 'eps', 1e-2)), X, y, golden.knlms_coherence, 1e-9);
  kaf = okra('krls', with('nu', 5e-4));
  agrees('krls', kaf, X, y, golden.krls_ald, 1e-4);
  assert(size(kaf.dict, 1), 132);
  agrees('aldkrls', okra('aldkrls', with('nu', 5e-4)), X, y, golden.krls_ald, 1e-4);

  % KAFBOX has these two only by hand, as rls and nlms on features: okra's names.
  own = @(varargin) set_fields(struct('omega', W, 'phase', b), varargin{:});
  agrees('rff-krls', okra('rff-krls', own('beta', 0.9995, 'lambda', 1e-4, 'cyclic', 0)), X, y, golden.rffkrls, 1e-8);
  agrees('rff-nlms', okra('rff-nlms', own('mu', 0.5, 'reg', 1e-6)), X, y, golden.rffnlms, 1e-10);

  % Real float32: near, and no nearer than 24 bits allow.
  single_kaf = okra('rffklms', with('mu', 2, 'omega', W, 'b', b, 'precision', 'f32'));
  yhat = single_kaf.run(X, y);
  assert(class(yhat), 'single');
  off = disagreement(double(yhat), golden.rffklms);
  assert(off < 4 * 2.7e-6 && off > 1e-10);
end

function agrees(name, kaf, X, y, golden, bound)
  block = kaf.run(X, y);
  off = disagreement(block, golden);
  printf('%-9s %.1e (bound %.0e)\n', name, off, bound);
  assert(off < bound);
  kaf.reset();
  steps = zeros(size(y));
  for i = 1:numel(y)
    steps(i) = kaf.evaluate(X(i, :));
    kaf = kaf.train(X(i, :), y(i));
  end
  assert(steps, block);
end

% The largest difference over the largest prediction.
function off = disagreement(ours, golden)
  assert(all(isfinite(ours)));
  off = max(abs(ours - golden)) / max(abs(golden));
end

function t = read_table(file)
  lines = fopen(file);
  names = strsplit(strtrim(fgetl(lines)), ',');
  fclose(lines);
  t.data = dlmread(file, ',', 1, 0);
  for i = 1:numel(names)
    t.(names{i}) = t.data(:, i);
  end
end
