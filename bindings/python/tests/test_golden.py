"""What another toolbox said (tests/golden), through Python. Bounds are those of tests/cli/test_golden.c, which derives them."""

import numpy as np
import pytest
from conftest import ROOT

import okra

GOLDEN = ROOT / "tests" / "golden"

ROWS = {
    "rffklms": ("rff-klms", dict(mu=1), True, 1e-10, 1.1e-5),
    "rffnlms": ("rff-nlms", dict(mu=0.5, reg=1e-6), True, 1e-10, 1.1e-5),
    "rffkrls": ("rff-krls", dict(beta=0.9995, lambda_=1e-4, cyclic=0), True, 1e-8, 2.7e-4),
    "qklms": ("qklms", dict(mu=1, sigma=5, epsilon=5), False, 1e-9, 1.1e-5),
    "klms": ("klms", dict(mu=1, sigma=5), False, 1e-9, 1.1e-5),
    "knlms_coherence": ("knlms", dict(mu=0.5, sigma=5, coherence=0.97, reg=1e-2), False, 1e-9, 1.1e-5),
    "krls_ald": ("krls", dict(sigma=5, nu=5e-4), False, 1e-4, 2.2e-2),
}


def read(name):
    return np.genfromtxt(GOLDEN / name, delimiter=",", names=True)


@pytest.mark.parametrize("precision", ["float64", "float32"])
@pytest.mark.parametrize("column", ROWS)
def test_says_what_the_other_toolbox_said(column, precision):
    recipe, params, has_map, bound, bound_f32 = ROWS[column]
    stream, features = read("stream.csv"), read("features.csv")
    X = np.column_stack([stream[f"x{i}"] for i in range(1, 6)])
    if has_map:
        omega = np.column_stack([features[f"omega{i}"] for i in range(1, 6)])
        params = dict(params, omega=omega, phase=features["b"])
    f = okra.Filter(recipe, 5, precision=precision, **params)
    golden = read("predictions.csv")[column]
    off = np.abs(f.run(X, stream["y"]) - golden).max() / np.abs(golden).max()
    assert off < (bound if precision == "float64" else bound_f32)
    if precision == "float32":
        assert off > 1e-10
    if column == "krls_ald" and precision == "float64":
        assert f.stats["centres"] == 132
