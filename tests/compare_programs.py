"""Compares two builds of oddsbound: a change of structure must not change a byte of what is printed.

compare_programs.py OLD NEW: runs both programs on random specs, on every spec below specs/ and on the golden cases of
tests/cli/run.py. It compares standard output, the exit status and all certificates, and prints one line per difference.
Exit status 1: something differs. Lines that state a duration are left out of the comparison, as in run.py.
"""
import argparse
import filecmp
import glob
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path += [os.path.join(HERE, "cli"), os.path.join(HERE, "checker")]
import made  # noqa: E402
import run as golden  # noqa: E402
from random_specs import Generator  # noqa: E402

BATCH = 25  # specs per process
SECONDS = 1200


def shown(result):
    """The output of a run as a person sees it, without durations."""
    texts = (part.decode(errors="replace") for part in (result.stdout, result.stderr))
    return {"status": result.returncode, **dict(zip(("output", "errors"), map(golden.without_times, texts)))}


def verified(program, paths, folder):
    """Results of specs with all their certificates, which are in the folder afterwards."""
    os.makedirs(folder)
    command = [program, "verify", "--format", "json", "--threads", "1", "--certificates", folder, *paths]
    parts = shown(subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, timeout=SECONDS))
    return {name: part.replace(folder, "FOLDER") if isinstance(part, str) else part for name, part in parts.items()}


def parts_that_differ(old, new):
    return [name for name in old if old[name] != new[name]]


def files_that_differ(left, right):
    names = sorted({*os.listdir(left), *os.listdir(right)})
    _, different, missing = filecmp.cmpfiles(left, right, names, shallow=False)
    return different + missing


def compare_specs(programs, paths, folder):
    """The differences on these specs, one line with the spec each."""
    folders = [os.path.join(folder, name) for name in ("old", "new")]
    outputs = [verified(program, paths, own) for program, own in zip(programs, folders)]
    files = files_that_differ(*folders)
    if outputs[0] == outputs[1] and not files:
        return []
    if len(paths) == 1:
        return [f"{paths[0]}: {', '.join(parts_that_differ(*outputs) + files)}"]
    return [line for k, path in enumerate(paths) for line in compare_specs(programs, [path], os.path.join(folder, str(k)))]


def compare_case(programs, case):
    name, arguments, _, source = case
    different = parts_that_differ(*(shown(golden.run(program, arguments, source)) for program in programs))
    return [f"golden case {name}: {', '.join(different)}"] if different else []


def in_batches(paths):
    return [paths[k:k + BATCH] for k in range(0, len(paths), BATCH)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--specs", type=int, default=3000, help="random specs (default: 3000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    programs = [os.path.abspath(arguments.old), os.path.abspath(arguments.new)]
    with tempfile.TemporaryDirectory() as folder:
        generator = Generator(arguments.seed, folder)
        random = [generator.write(k) for k in range(arguments.specs)]
        own = sorted(glob.glob(os.path.join(ROOT, "specs", "gallery", "*.json")))
        batches = in_batches(random) + [[path] for path in own]
        with ThreadPoolExecutor(arguments.jobs) as pool:
            tasks = [pool.submit(compare_specs, programs, batch, os.path.join(folder, f"batch-{k}"))
                     for k, batch in enumerate(batches)]
            differences = [line for task in tasks for line in task.result()]
        # Some of them write files of the same name.
        made.make(golden.MADE.name)
        differences += [line for case in golden.CASES for line in compare_case(programs, case)]
    print("\n".join(differences + [f"{arguments.specs} random specs, {len(own)} specs of the gallery, "
                                   f"{len(golden.CASES)} golden cases: {len(differences)} differences"]))
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
