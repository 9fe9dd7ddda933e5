"""Feature maps against their kernels and formulas; signals and theory against what they are."""

import pickle

import numpy as np
import pytest
from conftest import refused, same
from sklearn.kernel_approximation import RBFSampler

import okra
from okra import _maps

MAPS = [name for name in _maps.map_params()["map"].choices if not name.startswith("linear")]
KERNELS = list(_maps.map_params()["kernel"].choices)


def formula(kernel, sigma, r):
    """Of differences r, whose last axis are the inputs; as the README writes them."""
    size = np.sqrt((r**2).sum(axis=-1))
    if kernel == "gaussian":
        return np.exp(-(size**2) / (2 * sigma**2))
    if kernel == "laplacian":
        return np.exp(-np.abs(r).sum(axis=-1) / sigma)
    if kernel == "cauchy":
        return np.prod(1 / (1 + r**2 / sigma**2), axis=-1)
    a = np.sqrt({"matern32": 3, "matern52": 5}[kernel]) * size / sigma
    return (1 + a if kernel == "matern32" else 1 + a + a**2 / 3) * np.exp(-a)


@pytest.fixture(scope="module")
def points():
    return np.random.default_rng(5).normal(size=(20, 3))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("name", MAPS)
def test_every_map_with_every_kernel(name, kernel, points):
    try:
        m = okra.Map(3, map=name, kernel=kernel, sigma=2, features=4000)
    except okra.ParameterError as error:
        assert "use " in str(error)  # not every map has every kernel; the refusal names another
        return
    Z = m(points)
    assert Z.shape == (20, 4000) == (20, m.outputs)
    # an entry is a mean of 2000 or 4000 cosines of variance at most 1: five deviations, with room for 190 entries
    assert np.abs(Z @ Z.T - m.kernel(points, points)).max() < 5 / np.sqrt(2000)
    assert same(okra.features(points, map=name, kernel=kernel, sigma=2, features=4000), Z)


def test_every_kernel_has_a_map_and_every_map_a_kernel(points):
    def works(name, kernel):
        try:
            return okra.features(points, map=name, kernel=kernel, features=40) is not None
        except okra.ParameterError:
            return False

    assert all(works("rff", kernel) and works("pair", kernel) for kernel in KERNELS)
    assert all(works(name, "gaussian") for name in MAPS)


@pytest.mark.parametrize("kernel", KERNELS)
def test_kernels_are_their_formulas(kernel, points):
    exact = okra.Map(3, kernel=kernel, sigma=1.7).kernel(points, points[:7])
    np.testing.assert_allclose(exact, formula(kernel, 1.7, points[:, None] - points[None, :7]), rtol=1e-12)


def test_sums_keep_the_inputs(points):
    Z = okra.features(points, map="linear+orf", features=10, sigma=2)
    assert Z.shape == (20, 14)
    np.testing.assert_array_equal(Z[:, :3], points)
    np.testing.assert_array_equal(Z[:, 3], 1)


def test_frequencies_that_are_given(points):
    rng = np.random.default_rng(2)
    omega, phase = rng.normal(size=(50, 3)), rng.uniform(0, 6, size=50)
    Z = okra.Map(3, omega=omega, phase=phase)(points)
    np.testing.assert_allclose(Z, np.sqrt(2 / 50) * np.cos(points @ omega.T + phase), rtol=0, atol=1e-14)


def test_as_good_as_scikit_learn_s(points):
    exact = okra.Map(3, sigma=1).kernel(points, points)
    errors, theirs = [], []
    for seed in range(20):
        Z = okra.features(points, sigma=1, features=200, seed=seed)
        errors.append(((Z @ Z.T - exact) ** 2).mean())
        Z = RBFSampler(gamma=0.5, n_components=200, random_state=seed).fit_transform(points)
        theirs.append(((Z @ Z.T - exact) ** 2).mean())
    assert 0.8 < np.mean(errors) / np.mean(theirs) < 1.25  # the same estimator of the same kernel


def test_maps_pickle_and_refuse(points):
    m = okra.Map(3, map="qmc", features=20, sigma=[1, 2])
    assert same(pickle.loads(pickle.dumps(m))(points), m(points))
    assert m.params["sigma"] == (1.0, 2.0) and "mu" not in m.params
    assert m(points[0]).shape == (20,)
    refused(okra.ParameterError, "a map has no parameter 'mu'", lambda: okra.Map(3, mu=1))
    refused(okra.SampleError, "", lambda: m([[1.0, np.nan, 2.0]]))
    refused(okra.ParameterError, "", lambda: okra.features(points[0]))
    assert okra.features(points, precision="float32").dtype == np.float32


# ---- the lab -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(okra.signals()))
def test_signals_are_those_of_the_program(name, program, tmp_path):
    X, y = okra.signal(name, 50, seed=7)
    rows = program("signal", name, "--samples", "50", "--seed", "7", cwd=tmp_path).splitlines()[1:]
    theirs = np.array([[float(value) for value in row.split(",")] for row in rows])
    np.testing.assert_array_equal(np.column_stack([X, y]), theirs)


def test_constants_have_an_effect():
    quiet, loud = (okra.signal("ex1", 100, centre_sigma=s)[1] for s in (1.0, 2.0))
    assert not np.array_equal(quiet, loud)
    assert set(okra.signals()["ex1"].constants) >= {"centre_sigma", "noise"}


def test_theory_foretells_the_floor():
    """The steady-state error of 40 runs is what theory says, to their own scatter (about 1% each)."""
    t = okra.theory(features=100, mu=0.5, dim=5, sigma=5.0)
    floors = []
    for run in range(40):
        X, y = okra.signal("ex1", 6000, run=run)
        f = okra.Filter("rff-klms", 5, features=100, sigma=5, mu=0.5, seed=run + 1)
        floors.append(((y - f.run(X, y))[-1000:] ** 2).mean())
    assert 0.5 < np.median(floors) / t.mse < 2
    assert t.spectrum.shape == (t.rank,) and (np.diff(t.spectrum) <= 0).all()
    assert t.spectrum[0] == t.lambda_max and t.mu_max == pytest.approx(2 / t.trace)
    assert t.curve(10).shape == (10,) and not np.array_equal(t.curve(10), t.curve(10, as_printed=True))
