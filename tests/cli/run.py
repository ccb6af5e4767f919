"""Runs the program as a user would, and compares its output with golden files.

run.py BINARY [PATTERN...]; with --update it rewrites the golden files, to be reviewed as a diff; with --all it also
runs slow cases. With patterns of names (verify-zcdp*) it runs these cases only, and no statements about whole runs.
"""
import difflib
import fnmatch
import json
import os
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import made

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
GOLDEN = os.path.join(HERE, "golden")
GALLERY = "specs/gallery"
DATA = f"{GALLERY}/data"
FAMILIES = ["k_randomized_response", "optimal_binary", "hadamard_response", "high_low_hadamard_response",
            "block_hadamard_response", "subset_selection", "d_bit_flip", "unary_encoding", "rappor", "longitudinal_grr", "longitudinal_unary_encoding", "optimized_local_hashing",
            "truncated_geometric", "discrete_laplace_truncated", "discrete_laplace_clamped", "discrete_laplace_wrapped",
            "discrete_gaussian_truncated", "discrete_gaussian_wrapped", "exponential_mechanism", "permute_and_flip", "duchi_hypercube", "bcdp_mean", "duchi_l2_ball", "bcdp_mean_l2"]
CASES_FOLDER = os.path.join(HERE, "cases")


def read_cases(path):
    """The cases of a file of cases/: name, arguments, exit status, standard input (a file, or None).

    A case is a line "name: status", then indented lines with the arguments, quoted as in a shell; "< file" is standard
    input. The expected output is golden/name.out and golden/name.err.
    """
    cases = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            if not line.startswith(" "):
                name, status = line.rsplit(":", 1)
                cases.append((name, [], int(status), None))
                continue
            name, arguments, status, source = cases[-1]
            words = shlex.split(line)
            if "<" in words:
                place = words.index("<")
                words, source = words[:place], words[place + 1]
            cases[-1] = (name, arguments + words, status, source)
    return cases


CASES = [case for path in sorted(os.listdir(CASES_FOLDER)) for case in read_cases(os.path.join(CASES_FOLDER, path))]


PRINTED = {}  # output of the cases above
MADE = tempfile.TemporaryDirectory()  # with the files of made.py


def run(binary, arguments, source, **options):
    """If a file is made for the run, runs in the folder of made files, so that its name is as in the checkout."""
    folder = MADE.name if made.NAMES.intersection(arguments) else ROOT
    stdin = open(os.path.join(ROOT, source), "rb") if source else subprocess.DEVNULL
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "SOURCE_DATE_EPOCH": "0"}
    return subprocess.run([binary, *arguments], cwd=folder, stdin=stdin, capture_output=True, timeout=600, env=environment, **options)


def without_times(text):
    """Durations and the machine are no part of a golden file."""
    text = re.sub(r'"environment": \{[^}]*\}', '"environment": {}', text)
    text = re.sub(r'(<section id="environment">).*?(</section>)', r"\1\2", text, flags=re.DOTALL)
    text = re.sub(r"\d+\.\d ms", "N ms", text)
    return re.sub(r'("(?:exact|smt|seconds)": )[0-9.e+-]+', r"\1N", text)


def compare(name, what, found, update):
    found = without_times(found)
    path = os.path.join(GOLDEN, f"{name}.{what}")
    if update:
        if found or os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(found)
        return []
    expected = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            expected = file.read()
    return list(difflib.unified_diff(expected.splitlines(), found.splitlines(), f"{name}.{what}", "found", lineterm=""))


# Half a minute for one message: with --all only.
SLOW = {"design-estimate-many"}


def chosen_cases(patterns, every):
    """The cases with these names; without patterns all, slow ones only with `every`."""
    if patterns:
        return [case for case in CASES if any(fnmatch.fnmatchcase(case[0], pattern) for pattern in patterns)]
    return [case for case in CASES if every or case[0] not in SLOW]


def golden_cases(binary, update, cases):
    failures = 0
    for name, arguments, status, source in cases:
        result = run(binary, arguments, source)
        PRINTED[name] = result.stdout + result.stderr
        problems = compare(name, "out", result.stdout.decode(), update) + compare(name, "err", result.stderr.decode(), update)
        if result.returncode != status:
            problems.append(f"{name}: exit status {result.returncode}, expected {status}")
        failures += bool(problems)
        print("\n".join(problems)) if problems else None
    return len(cases), failures


def behaviours(binary):
    """Statements about whole runs that no golden file can make."""
    def every_folder_of_specs_has_a_case():
        """`oddsbound verify specs` passes: a case for each folder, so that a failure names it."""
        folders = {f"specs/{name}" for name in os.listdir(os.path.join(ROOT, "specs"))
                   if os.path.isdir(os.path.join(ROOT, "specs", name)) and name != "designs"}
        return folders <= {case[1][-1] for case in CASES if case[1][:1] == ["verify"] and len(case[1]) == 2}

    def shards_of_a_program_add_up():
        return shards_add_up(f"{GALLERY}/warner.json", "1500000", "--program", "python3 examples/samplers/sampler.py")

    def shards_add_up(spec=f"{GALLERY}/half-copied.json", runs="300000", *options):
        common = ["audit", spec, "--seed", "3", "-n", runs, *options]
        with tempfile.TemporaryDirectory() as folder:
            parts = []
            for shard in (1, 2, 3):
                parts.append(os.path.join(folder, f"part-{shard}.json"))
                with open(parts[-1], "wb") as file:
                    file.write(run(binary, [*common, "--shard", f"{shard}/3"], None).stdout)
            merged = run(binary, ["audit", "merge", "--format", "json", *parts], None)
        whole = run(binary, [*common, "--format", "json", "--threads", "2"], None)
        return merged.returncode == 0 and without_times(merged.stdout.decode()) == without_times(whole.stdout.decode())

    def samplers_in_three_languages():
        spec = f"{GALLERY}/warner.json"
        with tempfile.TemporaryDirectory() as folder:
            compiled = os.path.join(folder, "sampler")
            subprocess.run(["g++", "-std=c++17", "-O2", "-o", compiled, os.path.join(ROOT, "examples/samplers/sampler.cpp")], check=True)
            commands = ["python3 examples/samplers/sampler.py", "node examples/samplers/sampler.js", compiled]
            # The samplers draw from the system: at the default confidence correct ones fail in up to one of a hundred runs.
            audit = ["audit", spec, "--seed", "1", "-n", "300000", "--confidence", "0.999999"]
            results = [run(binary, [*audit, "--program", command], None) for command in commands]
        return all(result.returncode == 0 and b"passes: 300000 runs" in result.stdout for result in results)

    def a_program_leaves_no_process():
        marker = "misbehaves.py hangs"
        process = subprocess.Popen([binary, "audit", "tests/cli/specs/coin.json", "--program", f"python3 tests/cli/programs/{marker}"],
                                   cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=10)
        time.sleep(0.5)
        left = subprocess.run(["pgrep", "-f", marker], capture_output=True)
        return left.returncode == 1

    def a_pipe_is_waited_for_within_the_time_limit():
        """A table that nobody writes, and one that is written at once or late."""
        answers = "output\nyes\nno\nyes\n"
        spec = f"{GALLERY}/warner.json"
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "answers.csv")
            os.mkfifo(pipe)
            silent = run(binary, ["estimate", "--max-seconds", "1", spec, pipe], None)
            late = subprocess.Popen(["sh", "-c", f"sleep 0.3; printf '{answers}' > {pipe}"])
            told = run(binary, ["estimate", spec, pipe], None)
            late.wait()
        ended = subprocess.run(["bash", "-c", f"exec 3< <(printf '{answers}'); sleep 0.2; '{binary}' estimate {spec} /dev/fd/3"],
                               cwd=ROOT, capture_output=True, timeout=60)
        idle = subprocess.run(["sh", "-c", f"sleep 3 | '{binary}' estimate --max-seconds 0.5 {spec} -"], cwd=ROOT, capture_output=True, timeout=60)
        waited = all(one.returncode == 3 and b"nothing came through this pipe" in one.stderr for one in (silent, idle))
        return (waited and told.returncode == 0
                and ended.returncode == 0 and ended.stdout == told.stdout)

    def new_ends_with_status_3_wherever_the_time_is_over():
        """While the level of an option is computed, and later."""
        levels = ("1", "log(3)", "log(12345678901234567^9999)")
        found = [run(binary, ["new", f"{GALLERY}/data/house-votes-84.csv", "--hide", "Class", "--epsilon", level, "--max-seconds", "1e-6"], None)
                 for level in levels]
        return all(one.returncode == 3 and b"the time limit was reached (--max-seconds 1e-06)" in one.stderr and b"expected a level" not in one.stderr
                   for one in found)

    def what_a_limit_left_open_is_in_the_json():
        """`open` of a stopped estimate, `reason` of an audit: the limit, with the results so far."""
        estimate = run(binary, ["estimate", "tests/cli/specs/many-marginals.json", "--samples", "1000", "--max-cells", "1000", "--format", "json"], None)
        audit = run(binary, ["audit", "--exhaustive", "--max-cells", "10", "--format", "json", f"{GALLERY}/hadamard-response.json"], None)
        known, proved = json.loads(estimate.stdout), json.loads(audit.stdout)["audits"][0]
        return (estimate.returncode == 3 and "--max-cells 1000" in known["open"]
                and audit.returncode == 3 and proved["verdict"] == "undecided" and "--max-cells 10" in proved["reason"])

    def reasons_of_undecided_claims_are_short():
        """The message that a number is irrational does not repeat its thousands of characters."""
        p = "((1+exp(-1))/2)^300"
        matrix = {"type": "matrix", "outputs": 2, "rows": [[p, f"1-{p}"], [f"1-{p}", p]]}
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}], "mechanism": matrix,
                "claims": [{"notion": "post_processing_of", "of": matrix}]}
        outputs = [subprocess.run([binary, "verify", "--format", form, "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=60)
                   for form in ("text", "json")]
        reason = json.loads(outputs[1].stdout)["specs"][0]["claims"][0]["reason"]
        return ([one.returncode for one in outputs] == [3, 3] and len(outputs[0].stdout) < 3000
                and reason.startswith("post-processing is decided for rational probabilities, and ") and len(reason) < 1600)

    def timings_are_numbers_and_asked_for():
        """Processor seconds of each spec and each claim; the values are not reproducible."""
        files = [f"{GALLERY}/warner.json", "tests/cli/specs/tight.json"]
        timed = [run(binary, ["verify", "--format", "json", *options, *files], None) for options in (["--timings"], [])]
        documents = [json.loads(result.stdout)["specs"] for result in timed]
        seconds = [spec["processor_seconds"] for spec in documents[0]] + [claim["processor_seconds"] for spec in documents[0] for claim in spec["claims"]]
        without = [part for spec in documents[1] for part in (spec, *spec["claims"]) if "processor_seconds" in part]
        numbers = all(type(value) in (int, float) and 0 <= value < 60 for value in seconds)
        text = [re.sub(rb"\d+\.\d ms", b"", run(binary, ["verify", *options, *files], None).stdout) for options in (["--timings"], [])]
        for spec in documents[0]:
            for part in (spec, *spec["claims"]):
                del part["processor_seconds"]
        return (len(seconds) > 5 and numbers and not without and documents[0] == documents[1] and len(text[0]) > 0
                and [result.returncode for result in timed] == [1, 1])

    def an_output_goes_where_links_lead():
        with tempfile.TemporaryDirectory() as folder:
            there, middle, first = (os.path.join(folder, name) for name in ("there.json", "middle", "first"))
            os.symlink("there.json", middle)
            os.symlink("middle", first)
            os.symlink("loop", os.path.join(folder, "loop"))
            results = [run(binary, ["verify", "--format", "json", "-o", name, f"{GALLERY}/warner.json"], None).returncode
                       for name in (first, os.path.join(folder, "loop"))]
            return results == [0, 2] and os.path.islink(middle) and os.path.islink(first) and not os.path.islink(there) and os.path.getsize(there) > 0

    def a_limit_ends_with_status_3_and_what_is_known():
        long = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "k_randomized_response", "epsilon": "(1+exp(1))^2000"}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.json")
            with open(path, "w") as file:
                json.dump(long, file)
            message = run(binary, ["verify", path], None)
        table = run(binary, ["new", f"{GALLERY}/data/house-votes-84.csv", "--hide", "Class", "--epsilon", "1", "--max-seconds", "0.002"], None)
        return (message.returncode == 2 and len(message.stderr) < 1500 and b"a level must be a rational number" in message.stderr
                and table.returncode == 3 and b"--max-seconds" in table.stderr)

    def a_file_that_makes_readers_wait_is_refused():
        """/proc/kmsg claims to be a regular file, and only root may read it."""
        spec = {"oddsbound": 1, "name": "t", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "matrix", "outputs": 2, "file": "/proc/kmsg"}}
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kmsg.json")
            with open(path, "w") as file:
                json.dump(spec, file)
            named = run(binary, ["verify", path], None)
        direct = run(binary, ["verify", "/proc/kmsg"], None)
        return (time.monotonic() - begin < 20 and named.returncode == direct.returncode == 2
                and b"cannot read '/proc/kmsg': " in named.stderr and b"/proc/kmsg: " in direct.stderr)

    def a_closed_pipe_is_silent():
        """`| head` is no error to report; the exit status still says that not everything was written."""
        command = f"set -o pipefail; '{binary}' verify --format json {GALLERY} {GALLERY} {GALLERY} | head -c 1 > /dev/null"
        result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=120)
        return result.returncode == 2 and result.stderr == b""

    def complaints_that_nobody_reads_are_lost():
        read_end, write_end = os.pipe()
        os.close(read_end)
        sample = ["sample", f"{GALLERY}/warner.json", "--input", "yes", "--count", "2", "--seed", "1"]
        results = [subprocess.run([binary, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=write_end, timeout=60)
                   for arguments in (["verify", "no-such-file.json"], ["no-such-command"], sample)]
        os.close(write_end)
        return [result.returncode for result in results] == [2, 2, 0] and results[2].stdout == b"output\nyes\nyes\n"

    def certificates_do_not_depend_on_threads():
        specs = [f"specs/sets-of-priors/{name}.json" for name in ("two-groups", "titanic-public-tables", "berkeley-sample")]
        written = []
        for options in (["--threads", "1"], ["--threads", "3"], ["--jobs", "3"]):
            with tempfile.TemporaryDirectory() as folder:
                status = run(binary, ["verify", "--certificates", os.path.join(folder, "made"), *options, *specs], None).returncode
                texts = []
                for name in sorted(os.listdir(os.path.join(folder, "made"))):
                    with open(os.path.join(folder, "made", name), encoding="utf-8") as file:
                        texts.append(file.read())
                written.append((status, texts))
        claims = [[claim["claim"] for claim in json.loads(text)["claims"]] for text in written[0][1]]
        return written[0] == written[1] == written[2] and all(claims) and len(claims) == 3 and written[0][0] == 0

    def full_disk():
        with open("/dev/full", "wb") as full:
            results = [subprocess.run([binary, *arguments], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60) for arguments in (
                ["schema"], ["--help"], ["--version"], ["verify", "--help"], ["audit", "merge", "--help"], ["man"],
                ["completion", "bash"], ["mechanisms"], ["search", "--list"], ["verify", f"{GALLERY}/warner.json"],
                ["estimate", "--samples", "10", f"{GALLERY}/warner.json"],
                ["sample", f"{GALLERY}/warner.json", "--input", "yes"])]
        return all(result.returncode == 2 and b"No space left" in result.stderr for result in results)

    def jobs_agree():
        one, many = (run(binary, ["verify", "--format", "json", "--jobs", n, GALLERY], None) for n in ("1", "4"))
        return one.returncode == 0 and one.stdout == many.stdout

    def schema_is_printed():
        with open(os.path.join(ROOT, "specs/oddsbound.schema.json"), "rb") as file:
            whole = run(binary, ["schema"], None).stdout == file.read() == run(binary, ["schema", "spec"], None).stdout
        for kind in ("design", "release", "plan", "lock"):
            with open(os.path.join(ROOT, f"specs/oddsbound-{kind}.schema.json"), "rb") as file:
                whole = whole and run(binary, ["schema", kind], None).stdout == file.read()
        return whole

    def numbers_read_back():
        document = json.loads(run(binary, ["analyze", "--format", "json", f"{GALLERY}/titanic-half.json"], None).stdout)
        level = document["specs"][0]["analysis"]["bcdp"]["survived"]
        spec = {"oddsbound": 1, "name": "again", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "k_randomized_response", "epsilon": level["epsilon"]}}
        again = subprocess.run([binary, "analyze", "--format", "json", "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=60)
        return json.loads(again.stdout)["specs"][0]["analysis"]["ldp"]["exp"] == level["exp"]

    def time_limit():
        result = run(binary, ["verify", "--max-seconds", "0.05", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-seconds" in result.stdout + result.stderr

    def memory_limit():
        result = run(binary, ["verify", "--max-memory-mb", "16", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-memory-mb" in result.stdout + result.stderr

    def many_labels():
        """134 million output labels stop at the memory limit, not at the machine's."""
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 1}],
                "mechanism": {"type": "matrix", "outputs": 134217728, "rows": [[1]]}}
        result = subprocess.run([binary, "verify", "--max-memory-mb", "300", "-"], input=json.dumps(spec).encode(),
                                capture_output=True, timeout=60)
        return result.returncode == 2 and b"--max-memory-mb" in result.stderr

    def seeds_repeat_for_any_number_of_threads():
        draws = [run(binary, ["sample", f"{GALLERY}/rappor.json", "--from-prior", "200000", "--seed", "9", "--threads", n], None).stdout
                 for n in ("1", "2", "5")]
        return draws[0] == draws[1] == draws[2] and len(draws[0]) > 800_000

    def other_seeds_and_no_seed_differ():
        arguments = ["sample", f"{GALLERY}/rappor.json", "--input", "0", "-n", "200"]
        draws = [run(binary, arguments + seed, None).stdout for seed in (["--seed", "1"], ["--seed", "2"], [], [])]
        return len(set(draws)) == 4

    def every_family_samples_and_estimates():
        """sample | estimate for every gallery spec that names a family; only the exponential mechanism has no
        estimator."""
        good = True
        for name in sorted(os.listdir(os.path.join(ROOT, GALLERY))):
            path = f"{GALLERY}/{name}"
            if not name.endswith(".json") or not os.path.getsize(os.path.join(ROOT, path)):
                continue
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                spec = json.load(file)
            if spec["mechanism"]["type"] not in FAMILIES:
                continue
            first = [c["values"][0] if "values" in c else "0" for c in spec["domain"]]
            drawn = run(binary, ["sample", path, "--input", json.dumps(first), "-n", "20000", "--seed", "1"], None)
            found = subprocess.run([binary, "estimate", "--format", "json", path, "-"], cwd=ROOT, input=drawn.stdout,
                                   capture_output=True, timeout=120)
            document = json.loads(found.stdout)
            true = [1.0] + [0.0] * (len(document["estimates"]) - 1) if document["targets"] == "shares" else [float(Fraction(v)) for v in first]
            for value, estimate in zip(true, document["estimates"]):
                error = max(estimate["standard_error"], 1e-9)
                near = abs(float(estimate.get("lower", estimate["value"])) - value) < 6 * error
                good = good and near
            good = good and document.get("unbiased", True) is True
        return good

    def every_sampler_is_proved():
        """Of the gallery, the papers' specs and small releases, only those with continuous or shuffled outputs stay undecided; for
        a survey, some inputs are checked."""
        result = run(binary, ["audit", "--exhaustive", "--format", "json", GALLERY, "specs/claims-of-the-papers", "specs/releases"], None)
        audits = json.loads(result.stdout)["audits"]
        undecided = [audit["name"] for audit in audits if audit["verdict"] != "passes"]
        audits = [audit for audit in audits if audit["name"] != "house-votes"]
        whole = all(choice["verdict"] == "passes" for audit in audits for choice in audit.get("choices", []))
        return result.returncode == 3 and undecided == ["bcdp-mean-l2", "duchi-l2-ball", "house-votes", "shuffled-answers"] and len(audits) > 105 and whole

    def queries_are_files():
        """Every query of the gallery's small specs is written with its expected answer; a second solver agrees if it
        is installed."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["verify", "--engine", "both", "--format", "json", "--emit-smt2", folder, f"{GALLERY}/warner.json",
                         f"{GALLERY}/coin-or-value-once.json", f"{GALLERY}/post-processing.json", "specs/parametric/warner.json"]
            if shutil.which("cvc5"):
                arguments += ["--cross-check", "cvc5", "--smt-seconds", "20"]
            result = run(binary, arguments, None)
            queries = [q for spec in json.loads(result.stdout)["specs"] for c in spec["claims"] for q in c["queries"]]
            texts = {q["file"]: open(q["file"], encoding="utf-8").read() for q in queries}
            said = all(f"(set-info :status {q['status']})" in texts[q["file"]] and "; " in texts[q["file"]] for q in queries)
            opinions = {q.get("cross_check", q["status"]) == q["status"] for q in queries if q["status"] != "unknown"}
            whole = len(queries) >= 20 and sorted(os.listdir(folder)) == sorted(os.path.basename(f) for f in texts)
            return result.returncode == 0 and said and whole and opinions == {True}

    def interrupt_stops_at_once():
        """Ctrl-C ends a run that would take minutes, with no process left and nothing half-written."""
        def until(holds, seconds=20):
            """Returns true if the condition holds within some seconds. A busy machine takes longer."""
            end = time.monotonic() + seconds
            while not (held := holds()) and time.monotonic() < end:
                time.sleep(0.05)
            return held  # asked again, it may be between two solvers

        def runs(pid):
            """Not gone, and not a zombie that waits for a careless init."""
            try:
                with open(f"/proc/{pid.decode()}/stat", encoding="utf-8") as file:
                    return file.read().rsplit(")", 1)[1].split()[0] != "Z"
            except OSError:
                return False

        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([binary, "verify", "--engine", "smt", "--emit-smt2", folder, f"{GALLERY}/hair-eye-sex.json"],
                                       cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            children = []

            def has_a_solver():
                children[:] = subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True).stdout.split()
                return len(children) >= 2
            begun = until(has_a_solver)
            process.send_signal(signal.SIGINT)
            try:
                process.wait(timeout=20)
            except subprocess.TimeoutExpired:
                process.kill()
                return False
            gone = until(lambda: not any(map(runs, children)))
            return begun and gone and not [f for f in os.listdir(folder) if "-part-" in f]

    def a_survey_is_sampled_and_estimated():
        """Too many inputs and outputs to enumerate: by coordinate, and the requested joint distributions."""
        names = [f"q{i}" for i in range(30)]
        spec = {"oddsbound": 1, "name": "survey", "domain": [{"name": name, "values": ["a", "b,c", "(d", "e"]} for name in names],
                "mechanism": {"type": "per_coordinate", "mechanisms": {name: {"type": "k_randomized_response", "epsilon": "2"} for name in names[:-1]}}}
        with tempfile.TemporaryDirectory() as folder:
            path, answers = os.path.join(folder, "survey.json"), os.path.join(folder, "answers.csv")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
            value_of = {name: spec["domain"][0]["values"][i % 4] for i, name in enumerate(names)}
            drawn = run(binary, ["sample", path, "--input", json.dumps(list(value_of.values())), "-n", "2000", "--seed", "1"], None)
            with open(answers, "wb") as file:
                file.write(drawn.stdout)
            each = json.loads(run(binary, ["estimate", path, answers, "--format", "json"], None).stdout)
            some = json.loads(run(binary, ["estimate", path, answers, "--format", "json", "--marginals", "q3,q0"], None).stdout)
        def close(marginal):
            label = [value_of[name] for name in marginal["coordinates"]]
            true = label[0] if len(label) == 1 else "(" + ",".join(label) + ")"
            return marginal["unbiased"] and all(abs(float(Fraction(e["lower"])) - (e["target"] == true)) < 6 * e["standard_error"] + 1e-9
                                                for e in marginal["estimates"])
        whole = [m["coordinates"] for m in each["marginals"]] == [[name] for name in names[:-1]]
        return (whole and [n["coordinate"] for n in each["not_estimated"]] == [names[-1]] and len(some["marginals"]) == 1
                and all(close(m) for m in each["marginals"] + some["marginals"]))

    def found_counterexamples_verify():
        with tempfile.TemporaryDirectory() as folder:
            for name in ["bcdp composes", "cdp implies bcdp", "bcdp implies ldp"]:
                run(binary, ["search", "--property", name, "-o", folder], None)
            result = run(binary, ["verify", "--format", "json", folder], None)
            summary = json.loads(result.stdout)["summary"]
            return result.returncode == 0 and summary["specs"] == 4 and summary["claims"] == 6

    def every_format_has_the_same_exit_status():
        formats = ["text", "json", "html", "markdown", "sarif", "junit", "github", "registry"]
        cases = [(["verify", f"{GALLERY}/warner.json"], 0), (["verify", "tests/cli/specs/failing.json"], 1),
                 (["verify", "tests/cli/specs/failing.json", "no-such-file.json"], 2),
                 (["verify", "--max-cells", "100", "tests/cli/specs/large.json"], 3),
                 (["audit", "--plan", "tests/cli/unexpected-plan.json"], 1),
                 (["audit", "--exhaustive", f"{GALLERY}/duchi-l2-ball.json"], 3)]
        good = all(run(binary, [*arguments, "--format", f], None).returncode == status for arguments, status in cases for f in formats)
        # Exceptions take seconds to find: golden files hold the status of the other formats, and one run has all
        # that are accepted.
        exceptions = ["audit", "--exhaustive", "--smt-seconds", "0.0001", "tests/cli/specs/large-choices.json"]
        with tempfile.TemporaryDirectory() as folder:
            together = [word for f in formats[1:] for word in ("--format", f, "--output", os.path.join(folder, f))]
            accepted = run(binary, [*exceptions, "--accept-exceptions", "--format", "text", *together], None)
            whole = len(os.listdir(folder)) == len(formats) - 1
        return good and whole and accepted.returncode == 0 and run(binary, [*exceptions, "--format", "html"], None).returncode == 3

    def several_outputs_at_once():
        """Each is the same as if written alone."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result")
            both = run(binary, ["verify", "--format", "text", "--format", "sarif", "--output", file, "tests/cli/specs/failing.json"], None)
            with open(file, "rb") as written:
                sarif = written.read()
        alone = [run(binary, ["verify", "--format", f, "tests/cli/specs/failing.json"], None).stdout for f in ("text", "sarif")]
        return [both.stdout, sarif] == alone and both.returncode == 1

    def a_job_summary_is_appended():
        with tempfile.TemporaryDirectory() as folder:
            def with_summary(path):
                return subprocess.run([binary, "verify", "--format", "github", "tests/cli/specs/failing.json"], cwd=ROOT, timeout=60,
                                      capture_output=True, env={"PATH": os.environ["PATH"], "GITHUB_STEP_SUMMARY": path})
            path = os.path.join(folder, "summary.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write("from before\n")
            annotated = with_summary(path)
            with open(path, encoding="utf-8") as file:
                summary = file.read()
            nowhere = with_summary(os.path.join(folder, "no", "summary.md"))
        return (annotated.returncode == 1 and summary.startswith("from before\n## oddsbound: 7 checks") and
                nowhere.returncode == 2 and b"GITHUB_STEP_SUMMARY" in nowhere.stderr)

    def designs_have_pages_and_conflicts_none():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.html")
            cases = (["design", "specs/designs/hours.design.json", "-o", path], 0, b"what is best turns"), \
                    (["repair", "examples/solved-in-floats.json", "--rounded-rows", "--static", "-o", path], 0, b"The change"), \
                    (["design", "tests/cli/designs/conflict.design.json", "-o", path], 2, None)
            for arguments, status, words in cases:
                good = run(binary, arguments, None).returncode == status and os.path.exists(path) == (words is not None)
                if not good:
                    return False
                if words is not None:
                    with open(path, "rb") as file:
                        page = file.read()
                    if words not in page or not page.endswith(b"</html>\n"):
                        return False
                    os.remove(path)
        return True

    def an_output_is_whole_or_as_it_was():
        """A file system that fills up midway."""
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        good = True
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            for arguments in (["verify", "--format", "html", "-o", path, f"{GALLERY}/warner.json"],
                              ["report", "tests/cli/data/results.json", "-o", path]):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("old")
                result = run(binary, arguments, None, preexec_fn=small_files_only)
                with open(path, encoding="utf-8") as file:
                    kept = file.read() == "old"
                good = good and kept and os.listdir(folder) == ["report.html"] and result.returncode == 2 and b"cannot write" in result.stderr
        return good

    def folders_behind_links_are_searched_once():
        with tempfile.TemporaryDirectory() as folder:
            specs, other = os.path.join(folder, "specs"), os.path.join(folder, "other")
            os.makedirs(specs)
            os.makedirs(other)
            shutil.copy(os.path.join(ROOT, GALLERY, "warner.json"), specs)
            shutil.copy(os.path.join(ROOT, "tests/cli/specs/failing.json"), other)
            os.symlink("../other", os.path.join(specs, "a-link"))
            os.symlink("../other", os.path.join(specs, "link"))
            os.symlink("..", os.path.join(other, "cycle"))
            found = run(binary, ["verify", "--format", "json", specs], None)
            files = sorted(os.path.relpath(s["file"], specs) for s in json.loads(found.stdout)["specs"])
            good = found.returncode == 1 and files == ["a-link/failing.json", "warner.json"]
            whole = json.loads(run(binary, ["verify", "--format", "json", folder], None).stdout)
            good = good and sorted(os.path.relpath(s["file"], folder) for s in whole["specs"]) == ["other/failing.json", "specs/warner.json"]
            os.symlink("../gone", os.path.join(specs, "nowhere"))
            os.mkfifo(os.path.join(specs, "pipe.json"))
            broken = run(binary, ["verify", specs], None)
        return (good and broken.returncode == 2 and b"nowhere: this link leads nowhere" in broken.stderr and
                b"pipe.json: this is not a regular file" in broken.stderr and b"failing.json" in broken.stdout)

    def what_is_asked_for_and_open_shows_in_the_status():
        titanic = f"{GALLERY}/titanic.json"
        limited = ["--max-cells", "20", f"{GALLERY}/berkeley.json"]
        status = [run(binary, arguments, None).returncode for arguments in (
            ["analyze", *limited], ["analyze", "--format", "html", *limited], ["verify", *limited], ["verify", "--tradeoff", *limited],
            ["analyze", titanic], ["analyze", "specs/parametric/warner.json"], ["analyze", f"{GALLERY}/bcdp-mean-l2.json"])]
        return status == [3, 3, 3, 3, 0, 0, 0]

    def a_second_solver_without_an_answer_is_a_missing_opinion():
        good = True
        for script, words in (("echo unknown", "cvc5: unknown"), ("exit 1", "cvc5: no answer"), ("exec sleep 60", "cvc5: no answer within the time limit")):
            with tempfile.TemporaryDirectory() as folder:
                program = os.path.join(folder, "cvc5")
                with open(program, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(program, 0o755)
                result = subprocess.run([binary, "verify", "--engine", "smt", "--cross-check", "cvc5", "--smt-seconds", "1", "--format", "json",
                                         f"{GALLERY}/warner.json"], cwd=ROOT, capture_output=True, timeout=120,
                                        env={"PATH": folder + ":" + os.environ["PATH"]})
            claims = json.loads(result.stdout)["specs"][0]["claims"]
            good = good and result.returncode == 3 and all(words in claim["missing_opinion"] and not claim["ok"] for claim in claims)
        return good

    def a_table_becomes_a_spec_that_verifies_and_is_locked():
        """The spec is in another folder than its table, also behind a link; existing files are kept unless overwriting
        is requested."""
        requests = (["titanic.csv", "--hide", "survived", "--count", "count", "--epsilon", "log(3)"],
                    ["berkeley.csv", "--hide", "admitted", "--count", "count", "--epsilon", "1/2"],
                    ["house-votes-84.csv", "--hide", "Class", "--epsilon", "1"],
                    ["house-votes-84.csv", "--columns", "V1", "V2", "V3", "--epsilon", "2"])
        good = True
        with tempfile.TemporaryDirectory() as folder:
            specs, there = os.path.join(folder, "specs"), os.path.join(folder, "deeper", "there")
            os.makedirs(there)
            os.symlink(there, specs)
            # Next to the link, so that table names do not pass through the root directory.
            shutil.copytree(os.path.join(ROOT, DATA), os.path.join(folder, "tables"))
            for i, (table, *options) in enumerate(requests):
                path, table = os.path.join(specs, f"{i}.json"), os.path.join(folder, "tables", table)
                made_new = run(binary, ["new", table, *options, "-o", path], None)
                again = run(binary, ["new", table, *options, "-o", path], None)
                with open(path, "rb") as file:
                    first = file.read()
                forced = run(binary, ["new", table, *options, "-o", path, "--force"], None)
                with open(path, "rb") as file:
                    good = good and file.read() == first
                good = good and [made_new.returncode, again.returncode, forced.returncode] == [0, 2, 0]
            lock = os.path.join(folder, "lock.json")
            steps = (["verify", specs], ["lock", "write", "--lock", lock, specs], ["lock", "check", "--strict", "--lock", lock])
            return good and [run(binary, step, None).returncode for step in steps] == [0, 0, 0]

    def one_release_at_a_time_spends_from_a_ledger():
        """While one release waits for its table, a second one is refused; a killed one holds no lock."""
        survey, people = "specs/releases/survey.release.json", "specs/releases/data/people.csv"
        with tempfile.TemporaryDirectory() as folder:
            spent, pipe = os.path.join(folder, "spent.json"), os.path.join(folder, "people.csv")
            os.mkfifo(pipe)

            def begin():
                process = subprocess.Popen([binary, "release", survey, pipe, "--spent", spent], cwd=ROOT, stdout=subprocess.PIPE)
                return process, open(pipe, "wb")  # once it is open at both ends, the lock is held

            def another():
                return run(binary, ["release", survey, people, "--spent", spent], None)

            killed, table = begin()
            killed.kill()
            killed.communicate()
            table.close()
            first, table = begin()
            refused = another()
            nothing = not os.path.exists(spent)
            with table, open(os.path.join(ROOT, people), "rb") as rows:
                table.write(rows.read())
            told, _ = first.communicate(timeout=60)
            with open(spent, "rb") as file:
                after_first = file.read()
            exceeded = another()
            with open(spent, "rb") as file:
                unchanged = file.read() == after_first
            return (refused.returncode == 2 and refused.stdout == b"" and refused.stderr.count(b"\n") == 1
                    and b"spent.json: another release is spending from this ledger" in refused.stderr and nothing
                    and first.returncode == 0 and b"500 people" in told and exceeded.returncode == 1 and unchanged
                    and sorted(os.listdir(folder)) == ["people.csv", "spent.json"])

    def no_escape_sequences():
        return not any(b"\x1b" in text for name, text in PRINTED.items() if name != "verify-color")

    def thirty_thousand_coordinates_fit_into_little_memory():
        names = [f"x{k}" for k in range(30_000)]
        spec = {"oddsbound": 1, "name": "wide", "domain": [{"name": name, "values": ["0", "1"]} for name in names],
                "mechanism": {"type": "on", "coordinates": ["x5"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}},
                "claims": [{"notion": "cdp", "epsilon": "log(3)"}]}
        result = subprocess.run([binary, "verify", "--max-memory-mb", "300", "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=600)
        return result.returncode == 0 and b"1 claim: 1 as expected" in result.stdout

    # It waits for seven seconds without computing, so it runs in parallel with the others.
    beside = ThreadPoolExecutor(1).submit(a_second_solver_without_an_answer_is_a_missing_opinion)

    checks = [
        every_folder_of_specs_has_a_case,
        seeds_repeat_for_any_number_of_threads,
        other_seeds_and_no_seed_differ,
        every_family_samples_and_estimates,
        every_sampler_is_proved,
        shards_add_up,
        shards_of_a_program_add_up,
        samplers_in_three_languages,
        a_program_leaves_no_process,
        a_pipe_is_waited_for_within_the_time_limit,
        thirty_thousand_coordinates_fit_into_little_memory,
        a_file_that_makes_readers_wait_is_refused,
        a_limit_ends_with_status_3_and_what_is_known,
        an_output_goes_where_links_lead,
        a_closed_pipe_is_silent,
        complaints_that_nobody_reads_are_lost,
        certificates_do_not_depend_on_threads,
        full_disk,
        jobs_agree,
        queries_are_files,
        interrupt_stops_at_once,
        a_survey_is_sampled_and_estimated,
        found_counterexamples_verify,
        schema_is_printed,
        numbers_read_back,
        time_limit,
        memory_limit,
        many_labels,
        every_format_has_the_same_exit_status,
        several_outputs_at_once,
        a_job_summary_is_appended,
        an_output_is_whole_or_as_it_was,
        designs_have_pages_and_conflicts_none,
        folders_behind_links_are_searched_once,
        what_is_asked_for_and_open_shows_in_the_status,
        a_table_becomes_a_spec_that_verifies_and_is_locked,
        one_release_at_a_time_spends_from_a_ledger,
        no_escape_sequences,
        new_ends_with_status_3_wherever_the_time_is_over,
        what_a_limit_left_open_is_in_the_json,
        reasons_of_undecided_claims_are_short,
        timings_are_numbers_and_asked_for,
    ]
    failed = [check.__name__ for check in checks if not check()]
    failed += [] if beside.result() else [a_second_solver_without_an_answer_is_a_missing_opinion.__name__]
    for name in failed:
        print("fails:", name)
    return len(checks) + 1, len(failed)


def main():
    # A background job may ignore the signal, and the program would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    binary, patterns = os.path.abspath(sys.argv[1]), [word for word in sys.argv[2:] if not word.startswith("--")]
    update = "--update" in sys.argv
    chosen = chosen_cases(patterns, update or "--all" in sys.argv)
    if not chosen:
        sys.exit("no case has such a name")
    os.makedirs(GOLDEN, exist_ok=True)
    made.make(MADE.name)
    cases, failures = golden_cases(binary, update, chosen)
    checks, failed = behaviours(binary) if not patterns else (0, 0)
    print(f"{cases + checks - failures - failed} passed, {failures + failed} failed")
    return 1 if failures + failed else 0


if __name__ == "__main__":
    sys.exit(main())
