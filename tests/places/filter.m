% The filter sign-lms from Octave.
kaf = okra('sign-lms', 'mu', 0.25);
kaf.train(2, 100);
assert(abs(kaf.evaluate(2) - 0.25 * 5) < 1e-12);
