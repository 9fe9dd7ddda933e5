% A power amplifier: its output, two numbers a sample (I and Q), from five samples of its input. A linear filter, and the
% kernel one that keeps the inputs beside its features. OKRA_DATA is the folder of a measured one (pa_dpa200.csv with
% columns in_i, in_q, y, and pa_dpa200_q.csv); without it an amplifier that saturates and remembers is made up.
folder = getenv('OKRA_DATA');
if exist(fullfile(folder, 'pa_dpa200_q.csv'), 'file')
  in_phase = dlmread(fullfile(folder, 'pa_dpa200.csv'), ',', 1, 0);
  quadrature = dlmread(fullfile(folder, 'pa_dpa200_q.csv'), ',', 1, 0);
  U = in_phase(:, 1:2);
  Y = [in_phase(:, 3), quadrature(:, end)];
  name = 'measured amplifier';
else
  [noise, ~] = okra_signal('ex2', 8000, struct('dim', 4));
  u = filter([1 1 1] / 3, 1, noise(:, 1) + 1i * noise(:, 2));
  v = u ./ (1 + 0.4 * abs(u) .^ 2);
  out = v + 0.2 * [0; v(1:end - 1)] + 0.005 * (noise(:, 3) + 1i * noise(:, 4));
  U = [real(u), imag(u)];
  Y = [real(out), imag(out)];
  name = 'made-up amplifier';
end

taps = 5;
X = [];
for k = 0:taps - 1
  X = [X, [zeros(k, 2); U(1:end - k, :)]];
end

linear = okra('rls', struct('lambda', 1, 'c', 1e-2));
kernel = okra('rff-krls', struct('map', 'linear+orf', 'sigma', 'auto', 'scale', 'auto', 'beta', 0.9997, 'lambda', 1e-4));
e = [sum((Y - linear.run(X, Y)) .^ 2, 2), sum((Y - kernel.run(X, Y)) .^ 2, 2)] / sum(var(Y));
nmse = mean(e(round(end / 10):end, :));
fprintf('%s: normalised error %.2e linear, %.2e kernel\n', name, nmse);
curve = filter(ones(1, 500) / 500, 1, e);
picture('amplifier.png', 10 * log10(curve(500:end, :)), {'linear RLS', 'RFF-KRLS'}, 'normalised error, dB');
