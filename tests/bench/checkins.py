"""Tests bench/checkins.py: places of check-ins, and one error with its line for every line that is no check-in.

checkins.py; prints what is not as expected.
"""
import os
import subprocess
import sys
import tempfile

BENCH = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "bench"))
FINE = "7\t2009-04-21T08:20:50Z\t{}\t{}\t66488\n"
# Latitude, longitude, place. The northern and eastern borders belong to the last places.
PLACES = [("25", "-130", "0,0"), ("25.1999", "-129.8", "0,1"), ("25.2", "-129.80001", "1,0"), ("50", "-60", "124,349"),
          ("49.9999999999", "-60.0000000001", "124,349"), ("37.5", "-95", "62,175"), ("4.2e1", "-9.5e1", "85,175")]
ELSEWHERE = [("24.9999", "-100"), ("50.0001", "-100"), ("40", "-130.0001"), ("40", "-59.9999"), ("405", "-100"), ("0", "0")]
BAD = [("7\t2009-04-21T08:20:50Z\t40\t-100\n", "found 4 fields between tabs, expected 5: a user, a time, a latitude, a longitude, a location's id"),
       ("7 2009-04-21T08:20:50Z 40 -100 9\n", "found 1 fields between tabs, expected 5"),
       ("\n", "found 1 fields between tabs, expected 5"),
       ("-7\t2009-04-21T08:20:50Z\t40\t-100\t9\n", "found '-7', expected a user's number"),
       ("7\t2009-02-30T08:20:50Z\t40\t-100\t9\n", "found '2009-02-30T08:20:50Z', expected a time as 2010-10-19T23:55:27Z"),
       ("7\tyesterday\t40\t-100\t9\n", "found 'yesterday', expected a time"),
       ("7\t2009-04-21T08:20:50Z\tforty\t-100\t9\n", "found 'forty', expected a latitude in degrees"),
       ("7\t2009-04-21T08:20:50Z\t40\tnan\t9\n", "found 'nan', expected a longitude in degrees"),
       ("7\t2009-04-21T08:20:50Z\t40\t-inf\t9\n", "found '-inf', expected a longitude in degrees"),
       ("7\t2009-04-21T08:20:50Z\t40\t-100\t\n", "the location's id is empty")]


def run(text, folder):
    path = os.path.join(folder, "checkins.txt")
    with open(path, "w", encoding="utf-8", newline="") as file:
        file.write(text)
    return path, subprocess.run([sys.executable, os.path.join(BENCH, "checkins.py"), path], capture_output=True, text=True, check=False)


def problems(folder):
    good = "".join(FINE.format(*place) for place in [one[:2] for one in PLACES] + ELSEWHERE)
    expected = sorted({place: sum(one[2] == place for one in PLACES) for _, _, place in PLACES}.items(),
                      key=lambda item: [int(part) for part in item[0].split(",")])
    for text in (good, good.replace("\n", "\r\n")):
        result = run(text, folder)[1]
        if result.stdout.splitlines() != ["row,column,checkins"] + [f"{place},{count}" for place, count in expected]:
            yield f"places are {result.stdout} {result.stderr}"
        if result.stderr != f"{len(PLACES)} check-ins at {len(expected)} places, {len(ELSEWHERE)} elsewhere\n":
            yield f"said is {result.stderr}"
    for line, message in BAD:
        path, result = run(good + line + line, folder)
        where = f"error: {path}:{len(PLACES) + len(ELSEWHERE) + 1}: {message}"
        if result.returncode != 1 or result.stdout or not result.stderr.startswith(where) or result.stderr.count("\n") != 1:
            yield f"{line!r}: {result.stderr}"
    path, result = run(FINE.format(*ELSEWHERE[0]), folder)
    if not result.stderr.startswith(f"error: {path}: no check-in from 25 N"):
        yield f"nobody: {result.stderr}"
    sample = subprocess.run([sys.executable, os.path.join(BENCH, "checkins.py"), os.path.join(BENCH, "data", "checkins-sample.txt")],
                            capture_output=True, text=True, check=False)
    if sample.returncode != 0 or sum(int(line.split(",")[2]) for line in sample.stdout.splitlines()[1:]) != 198:
        yield f"the sample: {sample.stderr}"
    made = subprocess.run([sys.executable, os.path.join(BENCH, "made_checkins.py"), "200"], capture_output=True, text=True, check=True)
    with open(os.path.join(BENCH, "data", "checkins-sample.txt"), encoding="utf-8") as file:
        if file.read() != made.stdout:
            yield "the sample is not what made_checkins.py makes"


def main():
    with tempfile.TemporaryDirectory() as folder:
        found = list(problems(folder))
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
