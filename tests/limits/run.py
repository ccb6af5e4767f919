"""Runs the program on adversarial specs with small limits, and says where a limit is not kept.

    run.py PROGRAM                    the selection that belongs to the tests
    run.py PROGRAM --all              all of them
    run.py PROGRAM --only repeat      those whose name contains a word
"""
import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import adversarial  # noqa: E402

# In addition to the limits: start-up, reading the command line, and the program itself.
OWN_SECONDS = 0.5
OWN_MB = 100
HANGS_AFTER = float(os.environ.get("HANGS_AFTER", "90"))
ENOUGH_MB = 12000  # keeps a runaway from taking down the machine


def peak_of(process):
    """Peak resident megabytes of a process so far, and of its current children. wait4() is not used: its peaks start
    at the memory of Python."""
    peak = 0
    try:
        status = pathlib.Path(f"/proc/{process}/status").read_text()
        peak = int(status.split("VmHWM:")[1].split()[0]) / 1024 if "VmHWM:" in status else 0
        children = pathlib.Path(f"/proc/{process}/task/{process}/children").read_text().split()
        return peak + max([peak_of(child) for child in children], default=0)
    except (OSError, IndexError):
        return peak


def measure(command, folder):
    """Exit status, seconds, peak resident megabytes, output."""
    with open(folder / "written", "wb+") as written:
        start = time.monotonic()
        process = subprocess.Popen(
            command, stdout=written, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, cwd=folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA, (ENOUGH_MB << 20, ENOUGH_MB << 20)))
        peak = 0
        while process.poll() is None:
            peak = max(peak, peak_of(process.pid))
            if time.monotonic() - start > HANGS_AFTER:
                process.kill()
            time.sleep(0.01)
        seconds = time.monotonic() - start
        size = written.seek(0, os.SEEK_END)
        written.seek(max(0, size - 4_000_000))
        text = written.read().decode(errors="replace")
    return process.returncode, seconds, peak, size, text


def write_case(case, folder):
    for name, text in case.files.items():
        (folder / name).write_text(text)
    (folder / "spec.json").write_text(json.dumps(case.spec))
    after = [word.replace("{dir}", str(folder)) for word in case.after]
    return [*case.command, str(folder / "spec.json"), *after]


def faults_of(case, limits, status, seconds, peak, text, slack):
    most_seconds = 1.2 * limits["seconds"] * slack + OWN_SECONDS * slack
    most_mb = 1.2 * limits["memory"] + OWN_MB
    faults = []
    if seconds > most_seconds and not case.concludes:
        faults.append(f"{seconds:.1f} s for --max-seconds {limits['seconds']}")
    if peak > most_mb:
        faults.append(f"{peak:.0f} MB for --max-memory-mb {limits['memory']}")
    if status not in (0, 1, 2, 3):
        faults.append(f"exit status {status}")
    if status == 2 and "limit" not in text:
        faults.append("an error that names no limit")
    if status == 3 and "limit" not in text and "--max" not in text and "exceed" not in text:
        faults.append("undecided, and no limit is named")
    return faults


def runs_of(case, options):
    """Limits to run with: little time; and little memory with enough time to fill it."""
    by_time = {"seconds": max(options.seconds, case.seconds), "memory": 4096}
    by_memory = {"seconds": 10 * options.seconds, "memory": options.memory}
    if options.only:
        return [by_time, by_memory] if options.only in case.name else []
    if options.all:
        return [by_time, by_memory]
    return [by_time] * (case.name in adversarial.SECONDS) + [by_memory] * (case.name in adversarial.MEMORY)


def last_line(text):
    lines = [line for line in text.splitlines() if "limit" in line or "--max" in line or "error:" in line]
    return (lines or text.splitlines() or [""])[-1].strip()[-110:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", metavar="WORD")
    parser.add_argument("--from", dest="first", metavar="NAME", help="with --all: leave out those before it")
    parser.add_argument("--seconds", type=float, default=2)
    parser.add_argument("--memory", type=int, default=300)
    parser.add_argument("--slack", type=float, default=1, help="how much longer than allowed a busy machine may take")
    options = parser.parse_args()
    program = str(pathlib.Path(options.program).resolve())
    failures = count = 0
    begun = not options.first
    for case in adversarial.cases():
        begun = begun or case.name == options.first
        if not begun:
            continue
        runs = runs_of(case, options)
        if not runs:
            continue
        count += 1
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            arguments = write_case(case, folder)
            for limits in runs:
                flags = ["--max-seconds", str(limits["seconds"]), "--max-memory-mb", str(limits["memory"])]
                (folder / "oddsbound.lock.json").unlink(missing_ok=True)
                status, seconds, peak, size, text = measure([program, *arguments, *flags], folder)
                faults = faults_of(case, limits, status, seconds, peak, text, options.slack)
                failures += bool(faults)
                print(f"{'FAIL' if faults else 'ok  '} {case.name}, {limits['seconds']:g} s, {limits['memory']} MB: exit {status}, "
                      f"{seconds:.2f} s, {peak:.0f} MB, {size} bytes{': ' + '; '.join(faults) if faults else ''} | {last_line(text)}",
                      flush=True)
    print(f"{count} specs; {failures} of the limits not kept")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
