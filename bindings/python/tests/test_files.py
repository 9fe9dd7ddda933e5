"""Model files, to and from the program `okra`."""

import numpy as np
import pytest
from conftest import read_predictions, same, write_csv

import okra


@pytest.mark.parametrize("recipe", ["rff-klms", "rff-krls", "qklms", "krls", "rls"])
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_program_goes_on_with_a_filter(recipe, precision, stream, program, tmp_path):
    X, y = stream
    own = okra.recipes()[recipe].params
    f = okra.Filter(recipe, 5, precision=precision, **({"sigma": 3} if "sigma" in own else {}))
    f.run(X[:500], y[:500])
    f.save(tmp_path / "f.okra")
    said = program("info", "f.okra", cwd=tmp_path)
    assert recipe in said and "500" in said
    write_csv(tmp_path / "more.csv", X[500:700], y[500:700])
    theirs = read_predictions(program("run", "--quiet", "--load", "f.okra", "more.csv", cwd=tmp_path))
    assert same(f.run(X[500:700], y[500:700]), theirs.astype(f.dtype))


def test_a_filter_comes_back(stream, tmp_path):
    X, y = stream
    f = okra.Filter("rff-krls", 5, outputs=2, sigma=3, features=40)
    f.notes = {"plant": "Größe 7"}
    Y = np.column_stack([y, y**2])
    f.run(X[:100], Y[:100])
    f.save(str(tmp_path / "f.okra"))
    g = okra.Filter.load(tmp_path / "f.okra")
    assert g.notes == f.notes and g.params == f.params and g.params["scale"] == "none"
    assert g.stats == f.stats and g.counters == f.counters and g.counters["rows"] == g.stats["learnt"] == 100
    assert same(g.run(X[100:], Y[100:]), f.run(X[100:], Y[100:]))


def test_python_goes_on_with_the_program_s_model(stream, program, tmp_path):
    X, y = stream
    write_csv(tmp_path / "all.csv", X, y)
    write_csv(tmp_path / "first.csv", X[:700], y[:700])
    options = ("--quiet", "--lags", "2", "--target-lags", "1")
    program("run", *options, "--save", "m.okra", "first.csv", cwd=tmp_path)
    m = okra.Filter.load(tmp_path / "m.okra")
    assert m.params["lags"] == 2 and m.recipe == "auto" and m.stats["rows"] == 700 and m.notes["input.1.name"] == "x1"
    wanted = read_predictions(program("run", *options, "all.csv", cwd=tmp_path))
    np.testing.assert_array_equal(m.run(X[700:], y[700:]), wanted[700:])


def test_names_go_both_ways(stream, program, tmp_path):
    X, y = stream
    model = okra.OnlineRegressor("rff-krls", sigma=5, features=60)
    for row, target in zip(X[:300], y):
        model.learn_one(dict(zip("abcde", row)), target)
    model.save(tmp_path / "m.okra")
    # the program finds the columns by name, in another order
    write_csv(tmp_path / "more.csv", X[300:400, ::-1], y[300:400], names=[*"edcba", "y"])
    theirs = read_predictions(program("run", "--quiet", "--load", "m.okra", "--save", "n.okra", "more.csv", cwd=tmp_path))
    assert theirs[0] == model.predict_one(dict(zip("abcde", X[300])))
    back = okra.OnlineRegressor.load(tmp_path / "n.okra")
    assert back.feature_names == tuple("abcde")
    for row, target in zip(X[300:400], y[300:400]):
        model.learn_one(dict(zip("abcde", row)), target)
    x = dict(zip("edcba", X[400, ::-1]))
    assert back.predict_one(x) == model.predict_one(x)


def test_files_that_are_none(tmp_path):
    with pytest.raises(okra.FileError, match="nowhere.okra") as error:
        okra.Filter.load(tmp_path / "nowhere.okra")
    assert isinstance(error.value, OSError)
    (tmp_path / "text.okra").write_text("hello, this is no model file at all")
    with pytest.raises(okra.FormatError, match="text.okra"):
        okra.Filter.load(tmp_path / "text.okra")
    f = okra.Filter("lms", 2)
    f.save(tmp_path / "f.okra")
    raw = bytearray((tmp_path / "f.okra").read_bytes())
    raw[-1] ^= 1
    (tmp_path / "f.okra").write_bytes(raw)
    with pytest.raises(okra.FormatError):
        okra.Filter.load(tmp_path / "f.okra")
    with pytest.raises(okra.FileError):
        f.save(tmp_path / "no" / "such" / "folder.okra")
    f.notes = {"number": 3}
    with pytest.raises(TypeError):
        f.save(tmp_path / "g.okra")
    with pytest.raises(okra.ParameterError, match="nothing was learnt"):
        okra.OnlineRegressor().save(tmp_path / "h.okra")
