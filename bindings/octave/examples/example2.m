% The paper's Example 2, y = w0'x + 0.1 (w1'x)^2 + noise: RFF-KLMS and QKLMS learn it side by side, over 50 realisations.
n = 15000;
mse = zeros(n, 2);
for r = 1:50
  [X, y] = okra_signal('ex2', n, struct('run', r));
  rff = okra('rffklms', struct('D', 300, 'mu', 2, 'kernelpar', 5, 'seed', r));   % mu 2 of KAFBOX is mu 1 of the paper
  q = okra('qklms', struct('eta', 1, 'epsu', sqrt(5), 'kernelpar', 5));
  mse = mse + [(y - rff.run(X, y)) .^ 2, (y - q.run(X, y)) .^ 2] / 50;
end
curve = filter(ones(200, 1) / 200, 1, mse);
picture('example2.png', 10 * log10(curve(200:end, :)), {'RFF-KLMS, D = 300', 'QKLMS'}, 'mean squared error, dB');
floors = 10 * log10(mean(mse(0.95 * n + 1:n, :)));
fprintf('last 5%%: RFF-KLMS %.1f dB, QKLMS %.1f dB\n', floors);
