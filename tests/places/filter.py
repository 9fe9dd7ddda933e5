"""The filter sign-lms from Python: a step moves theta by mu along z."""

import numpy as np
import okra

f = okra.Filter("sign-lms", 1, mu=0.25)
f.run(np.array([[2.0]]), np.array([100.0]))
assert np.allclose(f.predict(np.array([[2.0]])), 0.25 * (2 * 2 + 1))
