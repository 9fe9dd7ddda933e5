% A chaotic series, one step ahead from its last 8 values, each prediction with a 95% interval that was there before the truth.
n = 3000;
lags = 8;
[~, series] = okra_signal('mackey-glass', n + lags, struct('noise', 0.03));
X = zeros(n, lags);
for k = 1:lags
  X(:, k) = series(lags + 1 - k:end - k);
end
y = series(lags + 1:end);

kaf = okra('rff-krls', struct('map', 'orf', 'features', 200, 'sigma', 2, 'beta', 0.9995));
[yhat, s] = kaf.run(X, y);

late = n / 2 + 1:n;
inside = mean(abs(y(late) - yhat(late)) < 1.96 * s(late));
fprintf('normalised error %.4f; %.1f%% of the second half within their 95%% intervals\n', ...
        mean((y(late) - yhat(late)) .^ 2) / var(y(late)), 100 * inside);
last = n - 59:n;
picture('mackey_glass.png', [y(last), yhat(last), yhat(last) - 1.96 * s(last), yhat(last) + 1.96 * s(last)], ...
        {'series', 'predicted', 'lower', 'upper'}, 'series');
