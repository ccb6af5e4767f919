"""Thousands of calls, in forks, in processes, after errors: nothing is lost, nothing grows."""
import gc
import multiprocessing
import os
import pickle

import pytest

import oddsbound as ob

WARNER = "specs/gallery/warner.json"


def resident_mb():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def once(number):
    """Reads, measures, fails, draws and audits."""
    spec = ob.Spec(domain={"a": ["n", "y"]}, mechanism=ob.k_randomized_response(2, f"log({number % 7 + 2})"))
    result = ob.analyze(spec)
    assert result.ldp.exp == number % 7 + 2 and result.ldp.words
    if number % 10 == 0:
        with pytest.raises(ob.SpecError):
            ob.Spec.from_text('{"oddsbound": 1}')
        ob.sample(spec, ["n", "y"], seed=number)
        with pytest.raises(ZeroDivisionError):
            ob.audit(spec, lambda value, rng: 1 // 0, samples=100)


def test_ten_thousand_analyses_take_no_more_memory_than_the_first():
    for number in range(1000):
        once(number)
    gc.collect()
    before = resident_mb()
    for number in range(10_000):
        once(number)
    gc.collect()
    assert resident_mb() - before < 8


def test_a_fork_goes_on_where_its_parent_was():
    assert ob.analyze(WARNER).ldp == ob.Level("log(3)")
    child = os.fork()
    if child == 0:
        status = 1
        try:
            right = ob.analyze(WARNER).ldp == ob.Level("log(3)") and len(ob.sample(WARNER, ["yes"] * 5000)) == 5000
            status = 0 if right and ob.audit(WARNER, samples=20_000, seed=0).ok else 1
        finally:
            os._exit(status)
    assert os.waitpid(child, 0)[1] == 0
    assert ob.analyze(WARNER).ldp == ob.Level("log(3)")


def draws(seed):
    return "".join(ob.sample(WARNER, ["yes"] * 200, seed=seed))


def unseeded(_):
    return "".join(ob.sample(WARNER, ["yes"] * 200))


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_processes_share_the_work_and_their_results(start):
    with multiprocessing.get_context(start).Pool(2) as pool:
        specs = ["specs/gallery/titanic.json", WARNER, ob.Spec(WARNER)]
        levels = [str(result.ldp) for result in pool.map(ob.analyze, specs)]
        assert levels == ["log(27)", "log(3)", "log(3)"]
        assert pool.map(draws, [1, 2, 1])[0::2] == [draws(1)] * 2
        assert len(set(pool.map(unseeded, range(6)))) == 6


def test_errors_cross_processes():
    with multiprocessing.get_context("fork").Pool(1) as pool:
        with pytest.raises(ob.SpecError) as raised:
            pool.map(ob.read, ["/nowhere.json"])
    assert raised.value.file == "/nowhere.json"
    assert pickle.loads(pickle.dumps(ob.LimitError("a", "b", 1, 2, "/c"))).pointer == "/c"
