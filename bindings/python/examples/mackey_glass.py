"""A noisy chaotic series, predicted three rows ahead, with 95% intervals.  mackey_glass.py [PNG]"""

import sys

import matplotlib.pyplot as plt
import numpy as np

import okra

_, y = okra.signal("mackey-glass", 3000, noise=0.03)
model = okra.Filter("rff-krls", inputs=0, target_lags=12, horizon=3, scale="auto", sigma="auto", lambda_=0.1)
yhat, std = model.run(None, y, return_std=True)  # row t from y[t-3] and before; y[t] is learnt afterwards

late = np.arange(1000, 3000)
error, inside = (yhat - y)[late], np.abs(yhat - y)[late] < 1.96 * std[late]
naive = y[late] - y[late - 3]  # nothing changes in three rows
print(f"error {error.std():.3f}, noise 0.030, last value known {naive.std():.3f}; inside the interval {inside.mean():.1%}")

fig, (early, end) = plt.subplots(2, 1, figsize=(9, 6), sharey=True)
for axes, rows, title in ((early, slice(0, 200), "the first rows"), (end, slice(2800, 3000), "the last rows")):
    t = np.arange(3000)[rows]
    half = np.minimum(1.96 * std[rows], 10)  # infinite before anything is known
    axes.fill_between(t, yhat[rows] - half, yhat[rows] + half, color="tab:blue", alpha=0.25, linewidth=0, label="95% interval")
    axes.plot(t, y[rows], "k.", markersize=3, label="the series, with noise")
    axes.plot(t, yhat[rows], color="tab:blue", linewidth=1, label="predicted three rows before")
    axes.set(title=title, ylim=(y.min() - 0.3, y.max() + 0.3), xlim=(t[0], t[-1]))
early.legend(loc="lower right", fontsize="small", ncol=3)
fig.tight_layout()
fig.savefig(sys.argv[1] if len(sys.argv) > 1 else "mackey_glass.png", dpi=120)
