% bench: what Octave adds to C. RFF-KLMS with 5 inputs and 300 features: a block of 100,000 samples through run(), over
% the same through okra_run() in a C program, in turns; and the cost of a single train() and evaluate().
% Processor time, so that a neighbour does not count.
%
%   cmake --build build/release --target okra-octave okra-octave-block
%   octave-cli bindings/octave/bench/bench.m

root = fullfile(fileparts(mfilename('fullpath')), '..', '..', '..');
addpath(fullfile(root, 'build', 'release', 'bindings', 'octave', 'okra'));
program = fullfile(root, 'build', 'release', 'bindings', 'octave', 'okra-octave-block');
n = 100000;
rounds = 15;
[X, y] = okra_signal('ex2', n);
kaf = okra('rff-klms', 'sigma', 5, 'features', 300);
kaf.run(X, y);
octave = zeros(rounds, 1);
c = zeros(rounds, 1);
for r = 1:rounds
  start = cputime();
  yhat = kaf.run(X, y);
  octave(r) = cputime() - start;
  [status, text] = system(sprintf('"%s" 5 300 %d 3', program, n));
  assert(status == 0);
  seconds = sscanf(text, '%f');
  c(r) = seconds(end); % the first round warms up
end
printf('run(X, Y), 5 inputs, 300 features, %d samples: %.1f ms, the C block call %.1f ms (least of %d)\n', n, ...
       1e3 * min(octave), 1e3 * min(c), rounds);
printf('ratio %.3f of the least, %.3f median of the pairs\n', min(octave) / min(c), median(octave ./ c));

steps = 20000;
x = X(1, :);
tic; for i = 1:steps, kaf.train(x, 1); end, train = toc / steps;
tic; for i = 1:steps, kaf = kaf.train(x, 1); end, train_back = toc / steps;
tic; for i = 1:steps, z = kaf.evaluate(x); end, evaluate = toc / steps;
id = kaf.id;
tic; for i = 1:steps, okra_mex('run', id, x, 1); end, gateway = toc / steps;
printf('kaf.train(x, y) %.1f us, kaf = kaf.train(x, y) %.1f us, kaf.evaluate(x) %.1f us; the gateway alone %.1f us\n', ...
       1e6 * [train, train_back, evaluate, gateway]);
