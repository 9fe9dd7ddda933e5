"""The paper's Example 2: learning curves of RFF-KLMS and QKLMS, means of 100 runs.  example2.py [PNG]"""

import sys

import matplotlib.pyplot as plt
import numpy as np
import okra

filters = {"RFF-KLMS, 300 features": ("rff-klms", dict(features=300)), "QKLMS, epsilon 5": ("qklms", dict(epsilon=5))}
for label, (recipe, params) in filters.items():
    squares = 0
    for run in range(100):
        X, y = okra.signal("ex2", 10000, run=run)
        squares += (y - okra.Filter(recipe, 5, sigma=5, mu=1, **params).run(X, y)) ** 2 / 100
    print(f"{label}: mean squared error {squares[:100].mean():.2f} at first, {squares[-2000:].mean():.4f} at the end")
    plt.plot(10 * np.log10(np.convolve(squares, np.ones(50) / 50, "valid")), label=label, linewidth=1)
plt.axhline(20 * np.log10(0.05), color="grey", linestyle=":", label="the noise")
plt.legend(), plt.grid(alpha=0.3), plt.title("Example 2"), plt.xlabel("samples"), plt.ylabel("mean squared error, dB")
plt.savefig(sys.argv[1] if len(sys.argv) > 1 else "example2.png", dpi=120)
