% The kernel sech from Octave.
x = linspace(-3, 3, 200)';
y = sin(x);
kaf = okra('krls', 'kernel', 'sech', 'sigma', 1);
for i = 1:200
  kaf.train(x(i), y(i));
end
assert(mean((kaf.evaluate(x) - y).^2) < 1e-3);
