"""Threads: learning and asking let others run, and two that are in each other's way are told so."""

import signal
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from conftest import same

import okra


@pytest.fixture(scope="module")
def long_stream():
    return okra.signal("ex2", 400_000)


@pytest.mark.parametrize("make", [lambda: okra.Filter("rff-klms", 5), lambda: okra.Filter("rff-klms", 5, lags=2)])
def test_a_run_lets_others_run_but_not_touch(make, long_stream):
    X, y = long_stream
    f, refused = make(), []
    thread = threading.Thread(target=f.run, args=(X, y))
    thread.start()
    while thread.is_alive() and not refused:
        try:
            f.step(X[0], y[0])
        except RuntimeError as error:
            refused.append(str(error))
    thread.join()
    # without the interpreter's lock being let go, this thread would have been asleep all the time
    assert refused and "another thread changes this" in refused[0]
    f.step(X[0], y[0])  # and afterwards all is well


def test_many_ask_one_filter(long_stream):
    X, y = (part[:20_000] for part in long_stream)
    f = okra.Filter("rff-krls", 5, features=60)
    f.run(X[:1000], y[:1000])
    wanted = f.predict(X)
    with ThreadPoolExecutor(4) as pool:
        assert all(same(said, wanted) for said in pool.map(f.predict, [X] * 16))


def test_filters_learn_side_by_side(long_stream):
    X, y = (part[:50_000] for part in long_stream)

    def learn(seed):
        return okra.Filter("rff-klms", 5, seed=seed).run(X, y)

    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(learn, range(8)))
    assert all(same(learn(seed), said) for seed, said in enumerate(together))


def test_ctrl_c_ends_a_run(long_stream):
    X, y = long_stream
    f = okra.Filter("rff-klms", 5)

    def interrupt(*_):
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            while True:
                f.run(X, y)
    finally:
        signal.signal(signal.SIGALRM, before)
    learnt = f.stats["learnt"]
    f.step(X[0], y[0])
    assert f.stats["learnt"] == learnt + 1 and np.isfinite(f.state["theta"]).all()
