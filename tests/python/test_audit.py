"""Audits of Python functions: findings, exceptions of the functions, interrupts."""
from fractions import Fraction
import itertools
import json
import multiprocessing
import os
import signal
import subprocess
import threading
import time

import numpy
import pytest

import oddsbound as ob

WARNER = "specs/gallery/warner.json"
TITANIC = "specs/gallery/titanic.json"
OTHER = {"yes": "no", "no": "yes"}


def truth_with(probability):
    def answer(value, rng):
        return value if rng.random() < probability else OTHER[value]
    return answer


def respond(column, values, rng):
    """Randomized response at log(3)."""
    lies = rng.random(len(column)) >= 3 / (values + 2)
    return numpy.where(lies, (column + rng.integers(1, values, len(column))) % values, column)


def passengers(inputs, rng, leak=False):
    told = [respond(inputs[:, place], values, rng) for place, values in enumerate((4, 2, 2))]
    if leak:  # survivors reveal their sex unperturbed
        told[1] = numpy.where(inputs[:, 3] == 1, inputs[:, 1], told[1])
    return (told[0] * 2 + told[1]) * 2 + told[2]


def test_a_curve_has_a_bound_of_delta_at_every_epsilon():
    found = ob.audit(WARNER, truth_with(3 / 4), curve=["0", "log(2)", 1], samples=20_000, seed=1)
    assert [str(point.epsilon) for point in found.curve.points] == ["0", "log(2)", "1"]
    for point in found.curve.points:
        assert Fraction(point.at_least) <= Fraction(point.stated_at_most)
    assert found.verdict == "passes"
    worse = ob.audit(WARNER, truth_with(15 / 16), curve=["0"], samples=20_000, seed=1)
    assert worse.verdict == "deviates"
    for wrong in ["0", ["x"], [None]]:
        with pytest.raises((TypeError, ob.NumberError)):
            ob.audit(WARNER, curve=wrong)


def test_a_right_function_passes_and_is_named():
    found = ob.audit(WARNER, truth_with(3 / 4), samples=100_000, seed=1)
    assert found.verdict == "passes" and found.ok and found.runs > 90_000
    assert found.sampler.function.endswith("answer") and "the function `" in str(found)
    assert found.dependence == [] and found.dependence_untested is None


def test_a_faulty_function_is_contradicted():
    assert ob.audit(WARNER, truth_with(4 / 5), samples=100_000, seed=1).verdict == "contradicted"


def test_the_same_seed_gives_the_same_audit():
    def found(seed):
        document = ob.audit(WARNER, truth_with(3 / 4), samples=50_000, seed=seed).to_dict()
        document.pop("seconds")
        return document
    assert found(5) == found(5) != found(6)


def test_without_a_seed_a_fresh_one_is_drawn_and_told():
    def found(**seed):
        document = ob.audit(WARNER, truth_with(3 / 4), samples=5000, **seed).to_dict()
        document.pop("seconds")
        return document
    one, other = found(), found()
    assert one["seed"] != other["seed"]
    assert found(seed=one["seed"]) == one == found(seed=int(one["seed"]))


def test_vectorized_functions_of_several_attributes():
    assert ob.audit(TITANIC, passengers, vectorized=True, samples=400_000, seed=1).verdict == "passes"
    found = ob.audit(TITANIC, lambda x, rng: passengers(x, rng, leak=True), vectorized=True, samples=400_000, seed=1)
    assert found.verdict == "contradicted"


def test_vectorized_labels_and_scalar_tuples_name_outputs():
    labels = numpy.array(["no", "yes"])

    def as_labels(inputs, rng):
        return labels[respond(inputs, 2, rng)]

    assert ob.audit(WARNER, as_labels, vectorized=True, samples=50_000, seed=2).verdict == "passes"

    def as_tuple(person, rng):
        known = [["1st", "2nd", "3rd", "crew"], ["male", "female"], ["child", "adult"]]
        told = []
        for value, values in zip(person, known):
            lie = rng.random() >= 3 / (len(values) + 2)
            told.append(rng.choice([one for one in values if one != value]) if lie else value)
        return tuple(told)

    assert ob.audit(TITANIC, as_tuple, samples=20_000, seed=1).verdict == "passes"


def test_a_function_that_remembers_is_found_to():
    lies = numpy.random.default_rng(1).random(300) >= 3 / 4
    runs = itertools.count()

    def remembers(value, rng):
        return OTHER[value] if lies[next(runs) % len(lies)] else value

    found = ob.audit(WARNER, remembers, samples=100_000, seed=1)
    assert found.dependence


@pytest.mark.parametrize("vectorized", [False, True])
def test_what_a_function_raises_comes_out_as_it_is(vectorized):
    class Mine(Exception):
        pass

    calls = []

    def fails(inputs, rng):
        calls.append(1)
        if len(calls) > 1:
            raise Mine("after one call")
        return truth_with(3 / 4)(inputs, rng) if not vectorized else inputs

    with pytest.raises(Mine, match="after one call") as raised:
        ob.audit(WARNER, fails, vectorized=vectorized, samples=300_000)
    assert raised.traceback[-1].name == "fails" and len(calls) == 2
    assert ob.audit(WARNER, truth_with(3 / 4), samples=1000).runs > 0


@pytest.mark.parametrize("sampler, vectorized, words", [
    (lambda value, rng: "maybe", False, "'maybe'"),
    (lambda value, rng: None, False, "None"),
    (lambda values, rng: values[:-1], True, "one output for each"),
    (lambda values, rng: values + 2, True, "output number [23] of 2"),
    (lambda values, rng: values - 5, True, "output number -[45] of 2"),
    (lambda values, rng: numpy.full(len(values), "maybe"), True, "'maybe'"),
])
def test_wrong_outputs_are_errors_in_words(sampler, vectorized, words):
    with pytest.raises((ob.SpecError, ValueError), match=words):
        ob.audit(WARNER, sampler, vectorized=vectorized, samples=1000, seed=0)


class Interrupt(threading.Timer):
    """Ctrl-C after `seconds`. The time taken is measured by the wall clock, or by processor time of each core if other
    work has the cores: a search uses all of them."""

    def __init__(self, seconds):
        super().__init__(seconds, self._send)
        self.start()

    def _send(self):
        self._sent = time.monotonic(), time.process_time()
        os.kill(os.getpid(), signal.SIGINT)

    def seconds_since(self):
        self.join()
        return min(time.monotonic() - self._sent[0], (time.process_time() - self._sent[1]) / os.cpu_count())


@pytest.mark.parametrize("kind", ["scalar", "endless", "search"])
def test_ctrl_c_stops_within_a_second_and_leaves_the_session_usable(kind, survey):
    def endless(value, rng):
        while True:
            rng.random()

    work = {"scalar": lambda: ob.audit(WARNER, truth_with(3 / 4), samples=10**9),
            "endless": lambda: ob.audit(WARNER, endless),
            "search": lambda: ob.analyze(survey)}[kind]
    interrupt = Interrupt(0.5)
    with pytest.raises(KeyboardInterrupt):
        work()
    assert interrupt.seconds_since() < 1
    assert ob.analyze(WARNER).ldp == ob.Level("log(3)")


def test_other_threads_run_meanwhile():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.wait(0.005):
            ticks.append(1)

    thread = threading.Thread(target=tick)
    thread.start()
    ob.audit(WARNER, samples=3_000_000, seed=1)
    done.set()
    thread.join()
    assert len(ticks) > 3


def test_calls_from_several_threads():
    results = []
    threads = [threading.Thread(target=lambda: results.append(ob.audit(WARNER, truth_with(3 / 4), samples=20_000, seed=0)))
               for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.verdict for one in results] == ["passes"] * 4


def test_progress_is_told_and_may_raise():
    told = []
    ob.audit(WARNER, truth_with(3 / 4), samples=300_000, progress=lambda *how_far: told.append(how_far))
    assert told and told[-1][0] <= told[-1][1] and "warner" in told[-1][2]

    def refuses(done, of, at):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        ob.audit(WARNER, truth_with(3 / 4), samples=3_000_000, progress=refuses)


def test_the_specs_own_sampler_a_program_and_a_proof():
    assert ob.audit(WARNER, samples=50_000).sampler == "built in"
    assert ob.audit(WARNER, exhaustive=True).verdict.startswith("passes")
    assert ob.audit(ob.read(WARNER), exhaustive=True).verdict.startswith("passes")
    with pytest.raises(ob.SpecError, match="file"):
        ob.audit(ob.Spec(ob.read(WARNER).to_dict()), exhaustive=True)


def answers(value, rng):
    return truth_with(3 / 4)(value, rng)


def one_part(shard):
    return ob.audit_shard(WARNER, answers, shard=shard, shards=3, seed=1, samples=400_000)


def without_time(result):
    document = dict(result.to_dict())
    document.pop("seconds", None)
    return document


def test_shards_in_other_processes_find_what_one_run_finds(tmp_path):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        parts = pool.map(one_part, [1, 2, 3])
    whole = ob.audit(WARNER, answers, seed=1, samples=400_000)
    assert without_time(ob.merge_shards(parts)) == without_time(whole) and whole.sampler.function == "answers"
    files = [part.save(tmp_path / f"{place}.json") for place, part in enumerate(parts)]
    assert ob.merge_shards([files[2], parts[0], files[1]]).verdict == "passes"
    with pytest.raises(ob.SpecError, match="2 of 3 parts"):
        ob.merge_shards(parts[:2])
    other = ob.audit_shard(WARNER, truth_with(3 / 4), shard=2, shards=3, seed=1, samples=400_000)
    with pytest.raises(ob.SpecError, match="another audit"):
        ob.merge_shards([parts[0], other, parts[2]])


def test_shards_of_the_specs_own_sampler_are_those_of_the_command_line(program, tmp_path):
    parts = [ob.audit_shard(WARNER, shard=1, shards=2, seed=1, samples=300_000)]
    command = [program, "audit", WARNER, "--seed", "1", "--samples", "300000", "--shard", "2/2", "-o",
               str(tmp_path / "two.json"), "--format", "json"]
    assert subprocess.run(command).returncode == 0
    merged = ob.merge_shards([*parts, tmp_path / "two.json"])
    assert without_time(merged) == without_time(ob.audit(WARNER, seed=1, samples=300_000))


def test_what_cannot_be_a_shard():
    with pytest.raises(ob.SpecError, match="from 1 to 2"):
        ob.audit_shard(WARNER, shard=0, shards=2, seed=1)
    with pytest.raises(ob.SpecError, match="save it"):
        ob.audit_shard(ob.Spec(ob.read(WARNER).to_dict()), shard=1, shards=2, seed=1)
    with pytest.raises(ZeroDivisionError):
        ob.audit_shard(WARNER, lambda value, rng: 1 / 0, shard=1, shards=2, seed=1)


def test_how_many_runs_are_needed(program):
    plan = ob.plan_runs(WARNER, 0.1)
    theirs = json.loads(subprocess.run([program, "audit", "--plan-runs", "0.1", WARNER, "--format", "json"],
                                       capture_output=True, text=True).stdout)["plans"][0]
    assert plan.to_dict() == theirs
    built = ob.Spec(ob.read(WARNER).to_dict())
    assert ob.plan_runs(built, 0.1).samples == plan.samples and ob.plan_runs(built, 0.1).file == built.file
    with pytest.raises(ob.SpecError, match="above 0"):
        ob.plan_runs(WARNER, 0)


def test_what_no_function_can_be_audited_for_is_said():
    def never(value, rng):
        raise AssertionError("it is not asked")

    many = {f"q{place}": ["no", "yes"] for place in range(21)}
    asked = ob.per_attribute({"*": ob.k_randomized_response(2, "1")})
    with pytest.raises(ob.SpecError, match="at most 1048576 outputs, and there are 2097152"):
        ob.audit(ob.Spec(domain=many, mechanism=asked), never)
    told = {**{f"q{place}": None for place in range(1, 70)}, "q0": ob.k_randomized_response(2, "1")}
    without_numbers = ob.Spec(domain={f"q{place}": ["no", "yes"] for place in range(70)}, mechanism=ob.per_attribute(told))
    with pytest.raises(ob.SpecError, match="at most 2.62 inputs.* there are 1180591620717411303424"):
        ob.audit(without_numbers, never)
    with pytest.raises(ob.SpecError, match="outputs are continuous: they have no numbers"):
        ob.audit("specs/gallery/bcdp-mean-l2.json", never)
