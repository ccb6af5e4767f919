"""Completions are tried in the shells themselves, the man page is read by man, and CI's steps are acted out.

integrations.py BINARY. What this machine has no program for is skipped, and said so.
"""
import os
import pty
import re
import select
import shutil
import stat
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
BINARY = os.path.abspath(sys.argv[1])
GALLERY = os.path.join(ROOT, "specs/gallery")

# What is typed, and what must be among the offers; None: nothing but these. Directories and files are those of ROOT.
TYPED = [
    (["oddsbound", "ver"], ["verify"]),
    (["oddsbound", ""], ["analyze", "verify", "audit", "completion", "man"]),
    (["oddsbound", "audit", "mer"], ["merge"]),
    (["oddsbound", "verify", "--format", ""], ["text", "json"]),
    (["oddsbound", "verify", "--format=j"], ["json"]),
    (["oddsbound", "verify", "--jobs", "2", "--engine", ""], ["exact", "smt", "both"]),
    (["oddsbound", "verify", "--eng"], ["--engine"]),
    (["oddsbound", "audit", "specs/gallery/warner.json", "--exh"], ["--exhaustive"]),
    (["oddsbound", "audit", "--plan", "merge", "--samp"], ["--samples"]),
    (["oddsbound", "audit", "merge", "--for"], ["--format"]),
    (["oddsbound", "completion", ""], ["bash", "zsh", "fish"]),
    (["oddsbound", "mechanisms", "hadamard"], ["hadamard_response"]),
    (["oddsbound", "verify", "CHANGE"], ["CHANGELOG.md"]),
    (["oddsbound", "verify", "--emit-smt2", "CHANGE"], ["CHANGELOG.md"]),
]
NOT_OFFERED = [
    (["oddsbound", "verify", "mer"], "merge"),
    (["oddsbound", "verify", "--jobs", "CHANGE"], "CHANGELOG.md"),
    (["oddsbound", "analyze", "--eng"], "--engine"),
]

failures = []
skipped = []


def expect(holds, what):
    if not holds:
        failures.append(what)


def run(arguments, **options):
    return subprocess.run(arguments, capture_output=True, text=True, timeout=120, **options)


def has(program):
    if shutil.which(program):
        return True
    skipped.append(f"{program} is not installed")
    return False


def commands():
    """Every command with the options that its --help shows."""
    found, queue = {}, [[]]
    while queue:
        path = queue.pop()
        text = run([BINARY, *path, "--help"]).stdout
        # The footer's examples name options as well, and not all of them this command's.
        body = re.split(r"\n\n\n(?=Examples?:)", text)[0]
        names = set()
        for line in body.splitlines():
            shown = re.match(r"  (-\S+)", line)
            if shown:
                names |= {re.match(r"--?[\w-]+", name).group() for name in shown.group(1).split(",")}
        found[" ".join(["oddsbound", *path])] = names
        block = re.search(r"\nSubcommands:\n((?:  .*\n)+)", text)
        if block:
            queue += [[*path, line.split()[0]] for line in block.group(1).splitlines() if line[2] != " "]
    return found


def bash_offers(words):
    script = run([BINARY, "completion", "bash"]).stdout
    # As readline does it, = is a word of its own.
    words = [part for word in words for part in re.split(r"(=)", word)] if "=" in words[-1] else words
    quoted = " ".join("'" + word + "'" for word in words)
    program = script + f"\nCOMP_WORDS=({quoted})\nCOMP_CWORD={len(words) - 1}\n_oddsbound\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    done = run(["bash", "--norc", "-u", "-c", program], cwd=ROOT)
    expect(not done.stderr, f"bash on {words}: {done.stderr}")
    return done.stdout.split("\n")


def fish_offers(words):
    script = run([BINARY, "completion", "fish"]).stdout
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        done = run(["fish", "--no-config", "-c", script + f"\ncomplete -C '{' '.join(words)}'"], cwd=ROOT, env=environment)
    expect(not done.stderr, f"fish on {words}: {done.stderr}")
    # --option=value is offered whole.
    return [line.split("\t")[0].split("=")[-1] for line in done.stdout.splitlines()]


class Zsh:
    """An interactive zsh: completion works nowhere else. What compadd is given is written to a file."""

    def __init__(self):
        self.folder = tempfile.mkdtemp()
        with open(os.path.join(self.folder, "_oddsbound"), "w") as file:
            file.write(run([BINARY, "completion", "zsh"]).stdout)
        self.offers = os.path.join(self.folder, "offers")
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.chdir(ROOT)
            os.environ.update(TERM="dumb", HOME=self.folder, PS1="", PATH=os.environ["PATH"])
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.type(f"fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=0; unsetopt beep\n")
        self.type("compadd() { local o; for o in $@; do [[ $o == -[OAD]* ]] && { builtin compadd \"$@\"; return }; done;"
                  f" local -a found; builtin compadd -O found \"$@\"; print -rl -- $found >>{self.offers};"
                  " builtin compadd \"$@\" }\n")
        self.done = 0
        self.wait()

    def type(self, text):
        os.write(self.terminal, text.encode())

    def wait(self):
        self.done += 1
        self.type(f"print -r DONE-$(({self.done}+0))-\n")
        seen, end = b"", time.monotonic() + 30
        while f"DONE-{self.done}-".encode() not in seen:
            if time.monotonic() > end:
                raise TimeoutError(f"zsh said {seen!r}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                seen += os.read(self.terminal, 65536)
        return seen

    def __call__(self, words):
        open(self.offers, "w").close()
        self.type(" ".join(words) + "\t\x15")  # tab, then the line is thrown away
        self.wait()
        with open(self.offers) as file:
            return file.read().split("\n")


def completions():
    table = commands()
    expect(len(table) > 10 and "oddsbound audit merge" in table, f"commands: {list(table)}")
    shells = {"bash": bash_offers}
    if has("zsh"):
        shells["zsh"] = Zsh()
    if has("fish"):
        shells["fish"] = fish_offers
    for shell in ["bash", "zsh", "fish"]:
        script = run([BINARY, "completion", shell]).stdout
        for command, options in table.items():
            for option in options:
                name = option.lstrip("-")
                listed = f"-{'l' if option.startswith('--') else 's'} '{name}'" if shell == "fish" else option
                expect(listed in script, f"{shell}: {command} {option} is missing")
        if shell not in shells:
            continue
        with tempfile.NamedTemporaryFile("w", suffix="." + shell) as file:
            file.write(script)
            file.flush()
            checked = run([shell, "-n", file.name])
        expect(checked.returncode == 0 and not checked.stderr, f"{shell} -n: {checked.stderr}")
        for words, expected in TYPED:
            offers = shells[shell](words)
            for offer in expected:
                expect(offer in offers, f"{shell}: {words} offers {offers}, not {offer}")
        for words, other in NOT_OFFERED:
            expect(other not in shells[shell](words), f"{shell}: {words} offers {other}")
        for command, options in table.items():
            offers = shells[shell]([*command.split(), "-"]) + shells[shell]([*command.split(), "--"])
            missing = [option for option in options if option not in offers]
            expect(not missing, f"{shell}: {command} does not offer {missing}")
    wrong = run([BINARY, "completion", "tcsh"])
    expect(wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "tcsh" in wrong.stderr, f"an unknown shell: {wrong}")


def man_page():
    page = run([BINARY, "man"])
    expect(page.returncode == 0, "oddsbound man fails")
    with tempfile.NamedTemporaryFile("w", suffix=".1") as file:
        file.write(page.stdout)
        file.flush()
        rendered = page.stdout.replace("\\-", "-")
        if has("man"):
            read = run(["man", "--warnings", "-E", "UTF-8", "-l", file.name], env={**os.environ, "MANWIDTH": "100", "LC_ALL": "C.UTF-8"})
            expect(read.returncode == 0 and not read.stderr, f"man: {read.stderr}")
            rendered = read.stdout
        if has("groff"):
            read = run(["groff", "-man", "-Tutf8", "-ww", file.name])
            expect(read.returncode == 0 and not read.stderr, f"groff: {read.stderr}")
    sections = re.split(r"\n {2,4}(?=oddsbound \w)|\n(?=[A-Z])|\n\.S[SH] ", rendered)
    for command, options in commands().items():
        heading = "OPTIONS" if command == "oddsbound" else command
        section = "".join(text for text in sections if re.split(r"\n", text)[0].strip() == heading)
        missing = [option for option in options if not re.search(r"(?<![\w-])" + option + r"(?![\w-])", section)]
        expect(not missing, f"the man page lacks {missing} of {command}")
    for text in ["EXIT STATUS", "NO_COLOR", "oddsbound search --property 'bcdp composes'", "oddsbound.lock.json"]:
        expect(text in rendered.replace("\\(aq", "'"), f"the man page lacks {text}")


def main():
    completions()
    man_page()
    for reason in skipped:
        print("skipped:", reason)
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
