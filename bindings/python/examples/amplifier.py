"""Identification of a power amplifier from its measured input and output.  amplifier.py [PNG]

Needs pa_dpa200.csv (in_i, in_q, y: input, and the output in phase) and pa_dpa200_q.csv (y_q: the output in quadrature),
measured at a 200 MHz amplifier by the OpenDPD project, in the folder OKRA_DATA, or ../shared/data beside the checkout.
"""

import os
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

import okra

folder = Path(os.environ.get("OKRA_DATA", Path(__file__).resolve().parents[3].parent / "shared" / "data"))
files = [folder / "pa_dpa200.csv", folder / "pa_dpa200_q.csv"]
for path in files:
    if not path.exists():
        sys.exit(f"amplifier.py: {path} is not there: set OKRA_DATA to a folder that has it (the OpenDPD project publishes it)")

in_phase, quadrature = (np.loadtxt(path, delimiter=",", skiprows=1) for path in files)
U, Y = in_phase[:, :2], np.column_stack([in_phase[:, 2], quadrature])

models = {
    "linear": okra.Filter("rls", inputs=2, outputs=2, lags=5, scale="auto"),
    "kernel": okra.Filter("rff-krls", inputs=2, outputs=2, lags=5, scale="auto", sigma="auto", map="linear+orf", lambda_=1e-3),
}
fig, (gain, learning) = plt.subplots(1, 2, figsize=(11, 4.5))
amplitude = np.hypot(*U.T)
late = np.arange(len(U) // 2, len(U))
gain.plot(amplitude[late], np.hypot(*Y[late].T) / amplitude[late], "k.", markersize=1, alpha=0.3, label="measured")
for (name, model), colour in zip(models.items(), ("tab:orange", "tab:blue")):
    Yhat = model.run(U, Y)
    square = ((Yhat - Y) ** 2).sum(axis=1)
    power = (Y**2).sum(axis=1).mean()
    print(f"{name}: {10 * np.log10(square[late].mean() / power):.1f} dB, {model.stats['features']} features")
    said = np.hypot(*Yhat[late].T) / amplitude[late]
    gain.plot(amplitude[late], said, ".", color=colour, markersize=1, alpha=0.3, label=name)
    smooth = np.convolve(np.nan_to_num(square), np.ones(500) / 500, "valid") / power
    learning.plot(10 * np.log10(smooth), color=colour, linewidth=1, label=name)
gain.set(title="gain: compressed at large amplitudes", xlabel="input amplitude", ylabel="output over input")
gain.set(ylim=(0, 2 * np.median(np.hypot(*Y.T) / amplitude)))
learning.set(title="error before each row is learnt", xlabel="rows", ylabel="dB of the output power", ylim=(-34, -20))
gain.legend(markerscale=8), learning.legend(), learning.grid(alpha=0.3)
fig.tight_layout()
fig.savefig(sys.argv[1] if len(sys.argv) > 1 else "amplifier.png", dpi=120)
