"""The kernel sech from Python: its map approximates its value."""

import numpy as np
import okra

x, y = np.array([0.3, -0.2]), np.array([-0.4, 0.5])
exact = np.prod(1 / np.cosh((x - y) / 1.5))
z = okra.features(np.array([x, y]), map="qmc", kernel="sech", sigma=1.5, features=4000)
assert abs(z[0] @ z[1] - exact) < 0.01, (z[0] @ z[1], exact)
