"""Model files, to and from the program `okra`."""

import gzip

import numpy as np
import pytest
from conftest import read_predictions, refused, same, write_csv

import okra


@pytest.mark.parametrize("recipe", ["rff-klms", "rff-krls", "qklms", "krls", "rls"])
@pytest.mark.parametrize("precision", ["f64", "f32"])
def test_the_program_goes_on_with_a_filter(recipe, precision, X, y, program, tmp_path):
    own = okra.recipes()[recipe].params
    f = okra.Filter(recipe, 5, precision=precision, **({"sigma": 3} if "sigma" in own else {}))
    f.run(X[:500], y[:500])
    f.save(tmp_path / "f.okra")
    said = program("info", "f.okra", cwd=tmp_path)
    assert recipe in said and "500" in said
    write_csv(tmp_path / "more.csv", X[500:700], y[500:700])
    theirs = read_predictions(program("run", "--quiet", "--load", "f.okra", "more.csv", cwd=tmp_path))
    assert same(f.run(X[500:700], y[500:700]), theirs.astype(f.dtype))


def test_a_filter_comes_back(X, y, tmp_path):
    f = okra.Filter("rff-krls", 5, outputs=2, sigma=3, features=40)
    f.metadata = {"plant": "Größe 7"}
    Y = np.column_stack([y, y**2])
    f.run(X[:100], Y[:100])
    f.save(str(tmp_path / "f.okra"))
    g = okra.Filter.load(tmp_path / "f.okra")
    assert g.metadata == f.metadata and g.params == f.params and g.params["scale"] == "none"
    assert g.stats == f.stats and g.counters == f.counters and g.counters["rows"] == g.stats["learnt"] == 100
    assert same(g.run(X[100:], Y[100:]), f.run(X[100:], Y[100:]))


def test_python_goes_on_with_the_program_s_model(X, y, program, tmp_path):
    write_csv(tmp_path / "all.csv", X, y)
    write_csv(tmp_path / "first.csv", X[:700], y[:700])
    options = ("--quiet", "--lags", "2", "--target-lags", "1")
    program("run", *options, "--save", "m.okra", "first.csv", cwd=tmp_path)
    m = okra.Filter.load(tmp_path / "m.okra")
    assert m.params["lags"] == 2 and m.recipe == "auto" and m.stats["rows"] == 700 and m.metadata["input.1.name"] == "x1"
    wanted = read_predictions(program("run", *options, "all.csv", cwd=tmp_path))
    np.testing.assert_array_equal(m.run(X[700:], y[700:]), wanted[700:])


def test_names_go_both_ways(X, y, program, tmp_path):
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
    error = refused(okra.FileError, "nowhere.okra", lambda: okra.Filter.load(tmp_path / "nowhere.okra"))
    assert isinstance(error, OSError)
    (tmp_path / "text.okra").write_text("hello, this is no model file at all")
    refused(okra.FormatError, "text.okra", lambda: okra.Filter.load(tmp_path / "text.okra"))
    f = okra.Filter("lms", 2)
    f.save(tmp_path / "f.okra")
    raw = bytearray((tmp_path / "f.okra").read_bytes())
    raw[-1] ^= 1
    (tmp_path / "f.okra").write_bytes(raw)
    refused(okra.FormatError, "", lambda: okra.Filter.load(tmp_path / "f.okra"))
    refused(okra.FileError, "", lambda: f.save(tmp_path / "no" / "such" / "folder.okra"))
    f.metadata = {"number": 3}
    refused(TypeError, "", lambda: f.save(tmp_path / "g.okra"))
    refused(okra.ParameterError, "nothing was learnt", lambda: okra.OnlineRegressor().save(tmp_path / "h.okra"))


@pytest.mark.parametrize("name", [f.name for f in okra.formats().values() if f.writes])
def test_rows_of_every_format(name, program, tmp_path):
    if name in ("wav", "flac"):
        program("signal", "echo", "--samples", "300", "--out", f"rows.{name}", cwd=tmp_path)
    else:
        program("signal", "ex2", "--samples", "300", "--out", f"rows.{name}", cwd=tmp_path)
    rows, names = okra.read(tmp_path / f"rows.{name}", columns=6 if name in ("f64", "f32") else 0)
    if name in ("wav", "flac"):
        assert rows.shape == (300, 2) and names == ["ch1", "ch2"]
        return
    X, y = okra.signal("ex2", 300)
    np.testing.assert_allclose(rows, np.column_stack([X, y]), rtol=1e-6)
    assert names == (["x1", "x2", "x3", "x4", "x5", "y"] if name in ("csv", "tsv", "jsonl") else None)


@pytest.mark.parametrize("name", ["csv", "tsv", "jsonl", "f64", "npy"])
def test_rows_that_are_compressed(name, program, tmp_path):
    program("signal", "ex2", "--samples", "300", "--out", f"rows.{name}", cwd=tmp_path)
    plain = (tmp_path / f"rows.{name}").read_bytes()
    (tmp_path / f"packed.{name}.gz").write_bytes(gzip.compress(plain[:1000]) + gzip.compress(plain[1000:]))
    columns = 6 if name == "f64" else 0
    rows, names = okra.read(tmp_path / f"packed.{name}.gz", columns=columns)
    wanted, wanted_names = okra.read(tmp_path / f"rows.{name}", columns=columns)
    assert names == wanted_names and (rows == wanted).all()
    if name != "npy":
        program("signal", "ex2", "--samples", "300", "--out", f"made.{name}.gz", cwd=tmp_path)
        assert gzip.decompress((tmp_path / f"made.{name}.gz").read_bytes()) == plain


def test_a_table_as_it_is_asked_for(tmp_path):
    file = tmp_path / "t"
    file.write_bytes(b"1;2\n3;\n")
    rows, names = okra.read(file)
    assert names is None and rows.tolist()[0] == [1, 2] and np.isnan(rows[1, 1])
    assert okra.read(str(file), header=True)[1] == ["1", "2"]
    file.write_bytes(np.arange(6.0).tobytes())
    assert okra.read(file, "f64", columns=3)[0].tolist() == [[0, 1, 2], [3, 4, 5]]
    file.write_text("a,b\n")
    rows, names = okra.read(file)
    assert rows.shape == (0, 2) and names == ["a", "b"]


def test_a_table_that_cannot_be_read(tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b\n1,2\n3,x\n")
    refused(okra.FormatError, r"t.csv:3: column 2 \(b\): 'x' is not a number", lambda: okra.read(file))
    refused(okra.FormatError, "has 2 columns, not 3", lambda: okra.read(file, columns=3))
    refused(okra.ParameterError, "no format 'xls': use one of csv, ", lambda: okra.read(file, "xls"))
    refused(okra.ParameterError, "too many", lambda: okra.read(file, columns=-1))
    refused(okra.FileError, "nowhere", lambda: okra.read(tmp_path / "nowhere.csv"))
    file.write_bytes(gzip.compress(b"a,b\n1,2\n")[:-4])
    refused(okra.FileError, r"t.csv:3: its compressed data end here", lambda: okra.read(file))
    refused(TypeError, "", lambda: okra.read(7))
