"""sklearn_rff.py INPUTS FEATURES ROWS: what a Python user would do instead of rff-klms.

RBFSampler and SGDRegressor.partial_fit, predicting and then learning a row at a time. Says "ready"; then for every line
"go" learns ROWS rows and answers with the processor seconds that took (see bench/child.h).
"""

import sys
import time

import numpy
from sklearn.kernel_approximation import RBFSampler
from sklearn.linear_model import SGDRegressor


def make(inputs, features):
    """The map and the learner, both past their first call: sigma = sqrt(inputs), as in the race."""
    sampler = RBFSampler(gamma=0.5 / inputs, n_components=features, random_state=1)
    learner = SGDRegressor(learning_rate="constant", eta0=0.5, alpha=0, fit_intercept=False)
    zero = numpy.zeros((1, inputs))
    learner.partial_fit(sampler.fit(zero).transform(zero), [0.0])
    return sampler, learner


def go(sampler, learner, x, y):
    start = time.thread_time()
    for row, target in zip(x, y):
        z = sampler.transform(row[None, :])
        learner.predict(z)
        learner.partial_fit(z, [target])
    return time.thread_time() - start


def main():
    inputs, features, rows = (int(word) for word in sys.argv[1:])
    sampler, learner = make(inputs, features)
    generator = numpy.random.default_rng(1)
    x, y = generator.standard_normal((rows, inputs)), generator.standard_normal(rows)
    print("ready", flush=True)
    for line in sys.stdin:
        if line.strip() == "go":
            print(go(sampler, learner, x, y), flush=True)


main()
