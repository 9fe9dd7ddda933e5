% The parameter lift from Octave.
plain = okra('lms', 'mu', 0.1);
lifted = okra('lms', 'mu', 0.1, 'lift', 10);
x = (1:5)';
assert(max(abs(lifted.run(x, x) - plain.run(x, x) - 10)) < 1e-12);
