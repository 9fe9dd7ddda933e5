"""The parameter lift from Python, of a filter and of scikit-learn's estimator."""

import numpy as np
import okra

x, y = np.arange(5.0).reshape(-1, 1), np.arange(5.0)
plain, lifted = okra.Filter("lms", 1, mu=0.1), okra.Filter("lms", 1, mu=0.1, lift=10.0)
assert np.allclose(lifted.run(x, y) - plain.run(x, y), 10)
assert okra.recipes()["lms"].params["lift"].scope == "stream"
