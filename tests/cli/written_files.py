"""Output files are written as a whole or not at all, and never over an input of the program.

written_files.py BINARY: prints a line per fault.
"""
import json
import os
import subprocess
import sys
import tempfile

BINARY = os.path.abspath(sys.argv[1])
ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
SURVEY = os.path.join(ROOT, "specs/releases/survey.release.json")
PEOPLE = os.path.join(ROOT, "specs/releases/data/people.csv")
WARNER = os.path.join(ROOT, "specs/gallery/warner.json")
failures = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def run(*arguments, cwd):
    return subprocess.run([BINARY, *arguments], cwd=cwd, capture_output=True, text=True, timeout=60)


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def refuses(what, *arguments, cwd):
    """Nothing is released or written, and one line states why."""
    before = sorted(os.listdir(cwd))
    done = run(*arguments, cwd=cwd)
    expect(done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout, f"{what}: {done}")
    expect(sorted(os.listdir(cwd)) == before, f"{what}: files were written")


def ledgers():
    """A ledger is no output path, whether it exists or not, under any name."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink("x.json", os.path.join(folder, "link.json"))
        os.mkdir(os.path.join(folder, "deeper"))
        for output in ("x.json", "./x.json", "deeper/../x.json", os.path.join(folder, "x.json"), "link.json"):
            for spent in ("x.json", "link.json"):
                refuses(f"--spent {spent} -o {output}, not there yet", "release", SURVEY, PEOPLE, "--spent", spent, "-o", output, cwd=folder)
        refuses("the ledger's lock", "release", SURVEY, PEOPLE, "--spent", "x.json", "-o", "x.json.lock", cwd=folder)
        refuses("one of two outputs", "release", SURVEY, PEOPLE, "--spent", "x.json", "--format", "html", "-o", "a.html", "--format", "csv",
                "-o", "link.json", cwd=folder)
        done = run("release", SURVEY, PEOPLE, "--spent", "x.json", "-o", "told.json", cwd=folder)
        expect(done.returncode == 0 and json.loads(read(os.path.join(folder, "x.json")))["oddsbound_spent"] == 1, f"a ledger: {done}")
        expect(sorted(os.listdir(folder)) == ["deeper", "link.json", "told.json", "x.json"], f"left: {os.listdir(folder)}")
        os.link(os.path.join(folder, "x.json"), os.path.join(folder, "hard.json"))
        for output in ("x.json", "link.json", "hard.json"):
            refuses(f"-o {output}, there already", "release", SURVEY, PEOPLE, "--spent", "x.json", "-o", output, cwd=folder)
        refuses("two names of one output", "verify", WARNER, "--format", "json", "-o", "new.json", "--format", "html", "-o", "deeper/../new.json",
                cwd=folder)


def left_over():
    """The next write of an output removes part files of killed processes; planted links and files of others stay."""
    with tempfile.TemporaryDirectory() as folder:
        names = {"o.json.oddsbound-part-1": "half", "o.json.part-7": "mine", "p.json.oddsbound-part-1": "of another"}
        for name, text in names.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(folder, "victim"), "w", encoding="utf-8") as file:
            file.write("precious")
        os.symlink("victim", os.path.join(folder, "o.json.oddsbound-part-2"))
        expect(run("verify", WARNER, "-o", "o.json", cwd=folder).returncode == 0, "an output beside what was left")
        expect(sorted(os.listdir(folder)) == ["o.json", "o.json.oddsbound-part-2", "o.json.part-7", "p.json.oddsbound-part-1", "victim"],
               f"left over: {sorted(os.listdir(folder))}")
        expect(read(os.path.join(folder, "victim")) == "precious", "a planted link was followed")


def synced():
    """Before a release is shown, its ledger and the ledger's name are on the disk: the folder is synced after the
    rename."""
    if subprocess.run(["sh", "-c", "command -v strace"], capture_output=True).returncode != 0:
        print("skipped: strace is not installed")
        return
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        done = subprocess.run(["strace", "-f", "-y", "-e", "trace=openat,rename,fsync", "-o", trace, BINARY, "release", SURVEY, PEOPLE,
                               "--spent", "x.json"], cwd=folder, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            print(f"skipped: strace cannot trace here: {done.stderr[-200:]}")
            return
        lines = read(trace).splitlines()
        opened = [line for line in lines if "openat" in line and "oddsbound-part" in line and "O_CREAT" in line]
        expect(opened and all("O_EXCL" in line and "O_NOFOLLOW" in line for line in opened), f"a part is opened by {opened}")
        steps = [index for index, line in enumerate(lines) if "fsync(" in line or "rename(" in line]
        kinds = ["file" if "oddsbound-part" in lines[i] and "fsync(" in lines[i] else "rename" if "rename(" in lines[i] else "folder" for i in steps]
        expect(kinds == ["file", "rename", "folder"], f"the ledger is written by {[lines[i] for i in steps]}")


def pages():
    """A report of many specs is an index and a folder of pages, replaced as a whole; files of others there stay."""
    with tempfile.TemporaryDirectory() as folder:
        os.mkdir(os.path.join(folder, "specs"))
        spec = {"oddsbound": 1, "domain": [{"name": "x", "size": 2}], "mechanism": {"type": "k_randomized_response", "epsilon": "1"},
                "claims": [{"notion": "ldp", "epsilon": "1"}]}
        for number in range(66):
            with open(os.path.join(folder, "specs", f"{number:02}.json"), "w", encoding="utf-8") as file:
                json.dump(dict(spec, name=f"spec-{number}"), file)
        write = ["verify", "specs", "--format", "html", "-o", "report.html"]
        for files in (66, 65):
            done = run(*write, cwd=folder)
            expect(done.returncode == 0, f"a report of {files} specs: {done}")
            expect(sorted(os.listdir(folder)) == ["report-pages", "report.html", "specs"], f"left: {os.listdir(folder)}")
            written = sorted(os.listdir(os.path.join(folder, "report-pages")))
            expect(written == sorted(f"{number}.html" for number in range(1, files + 1)), f"the pages of {files} specs: {written}")
            os.remove(os.path.join(folder, "specs", f"{files - 1}.json"))
        index, last = read(os.path.join(folder, "report.html")), read(os.path.join(folder, "report-pages", "65.html"))
        expect('href="report-pages/65.html"' in index and 'href="report-pages/66.html"' not in index, "the links of the index")
        expect("<section id=\"s1\">" not in index and "<script" not in index, "the index has what belongs on pages")
        expect('href="../report.html"' in last and "spec-64" in last and "spec-63" not in last, "a page is of its spec alone")
        done = run(*write, cwd=folder)
        expect(done.returncode == 0 and "<section id=\"s1\">" in read(os.path.join(folder, "report.html")), f"64 specs are one page: {done}")
        with open(os.path.join(folder, "specs", "more.json"), "w", encoding="utf-8") as file:
            json.dump(dict(spec, name="more"), file)
        notes = os.path.join(folder, "report-pages", "notes.txt")
        with open(notes, "w", encoding="utf-8") as file:
            file.write("mine")
        done = run(*write, cwd=folder)
        expect(done.returncode == 2 and "notes.txt" in done.stderr and read(notes) == "mine", f"a folder of others: {done}")
        expect(sorted(os.listdir(folder)) == ["report-pages", "report.html", "specs"], f"left: {os.listdir(folder)}")


def infinite_levels():
    """Two designs at one place in the figure: every coordinate is a number."""
    specs = [os.path.join(ROOT, f"tests/cli/specs/all-infinite-{which}.json") for which in "ab"]
    done = run("compare", *specs, "--format", "html", "--static", cwd=ROOT)
    expect(done.returncode == 0 and "<svg" in done.stdout and 'nan"' not in done.stdout, "a comparison of infinite levels")


def main():
    ledgers()
    pages()
    infinite_levels()
    left_over()
    synced()
    for failure in failures:
        print(failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
