"""Ctrl-C during a search: the first one writes the results so far, the second one ends the program.

interrupt.py BINARY: makes a survey that takes long, and waits for output of the program on its terminal, not for a
time. Prints a line per problem.
"""
import csv
import json
import os
import pty
import random
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "checker"))
from oddsbound_check.expression import number  # noqa: E402

STATUS_OPEN = 3


def write_survey(folder, questions, people):
    """Answers that correlate with a hidden group; all of them are released, each by randomized response."""
    draw = random.Random(1)
    names = [f"q{i:02}" for i in range(questions)]
    with open(os.path.join(folder, "people.csv"), "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(names)
        for _ in range(people):
            group = draw.choice("abcd")
            table.writerow([group if draw.random() < 0.6 else draw.choice("abcd") for _ in names])
    released = {"type": "k_randomized_response", "epsilon": "log(3)"}
    spec = {"oddsbound": 1, "name": "survey", "domain": [{"name": name, "values": list("abcd")} for name in names],
            "prior": {"type": "csv", "file": "people.csv"},
            "mechanism": {"type": "per_coordinate", "mechanisms": {name: released for name in names}},
            "claims": [{"notion": "bcdp", "epsilon": {"q00": "1000"}}, {"notion": "bcdp", "epsilon": {"q01": "0"}},
                       {"notion": "bcdp", "epsilon": {"q23": "12"}}]}
    path = os.path.join(folder, "survey.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(spec, file)
    return path


class Run:
    """The program with a terminal as standard error."""

    def __init__(self, binary, *arguments):
        self.terminal, side = pty.openpty()
        # A background job may ignore the signal, and the program would inherit that.
        self.process = subprocess.Popen([binary, *arguments], stdout=subprocess.PIPE, stderr=side,
                                        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        os.close(side)
        self.told = b""

    def wait_for(self, text):
        """Waits until the terminal shows the text. If the program ends first, the read fails."""
        while text not in self.told:
            self.told += os.read(self.terminal, 4096)

    def interrupt(self):
        self.process.send_signal(signal.SIGINT)

    def end(self):
        output = self.process.communicate()[0]
        os.close(self.terminal)
        return self.process.returncode, output


def levels_known(binary, path):
    run, problems = Run(binary, "analyze", "--format", "json", path), []
    run.wait_for(b" nodes")
    run.interrupt()
    run.wait_for(b"once more")
    status, output = run.end()
    if status != STATUS_OPEN:
        return [f"analyze: status {status}, expected {STATUS_OPEN}"]
    levels = json.loads(output)["specs"][0]["analysis"]["bcdp"]
    if not any("at_least" in level for level in levels.values()):
        problems.append("analyze: nothing was left open, so nothing was tested")
    for name, level in levels.items():
        witness = level["witness"]
        if "nodes" not in level:
            problems.append(f"{name}: it is not said how many nodes were opened")
        if "at_least" in level and level["reason"] != "the work was stopped":
            problems.append(f"{name}: the reason is '{level['reason']}'")
        least = level.get("at_least", level)
        if number(least["exp"]) * number(witness["p_to"]) != number(witness["p_from"]):
            problems.append(f"{name}: the witness does not show the level")
        if "at_least" in level and not float(level["lower"]) < float(level["upper"]):
            problems.append(f"{name}: the bounds are no interval")
    return problems


def claims_known(binary, folder, path):
    """Claims outside the known bounds are decided. A file after this one is named, without an error."""
    later = os.path.join(folder, "toward-the-end.json")
    with open(later, "w", encoding="utf-8") as file:
        file.write("{}")
    run, problems = Run(binary, "verify", "--format", "json", path, later), []
    run.wait_for(b" nodes")
    run.interrupt()
    status, output = run.end()
    result = json.loads(output)
    # The second claim is false, but expected to hold.
    if status != 1:
        problems.append(f"verify: status {status}, expected 1")
    verdicts = [claim["verdict"] for claim in result["specs"][0]["claims"]]
    if verdicts != ["holds", "refuted", "undecided"]:
        problems.append(f"verify: the verdicts are {verdicts}")
    errors = [(error["file"], error.get("stopped")) for error in result.get("errors", [])]
    if errors != [(later, True)]:
        problems.append(f"verify: the files that were not come to are {errors}")
    return problems


def ends_at_once(binary, path):
    """The search continues until it is stopped; with so many people, the following work takes long."""
    run = Run(binary, "analyze", path)
    run.wait_for(b" nodes")
    run.interrupt()
    run.wait_for(b"once more")
    run.interrupt()
    status, output = run.end()
    if status != -signal.SIGINT or output:
        return [f"a second Ctrl-C: status {status}, expected {-signal.SIGINT}; {len(output)} bytes were written"]
    return []


def main():
    binary, problems = os.path.abspath(sys.argv[1]), []
    with tempfile.TemporaryDirectory() as folder:
        path = write_survey(folder, 24, 500)
        problems += levels_known(binary, path) + claims_known(binary, folder, path)
        problems += ends_at_once(binary, write_survey(folder, 24, 20_000))
    for line in problems:
        print(line)
    print(f"{0 if problems else 1} passed, {len(problems)} failed")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
