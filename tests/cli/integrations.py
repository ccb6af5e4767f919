"""Tries completions in the shells themselves, renders the man page with man, and plays through the CI steps.

integrations.py BINARY HOSTILE: the program, and one whose options hold every special character (hostile_options.cpp).
Checks without their program on this machine are skipped with a message.
"""
import itertools
import json
import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
BINARY, HOSTILE = (os.path.abspath(path) for path in sys.argv[1:3])
GALLERY = os.path.join(ROOT, "specs/gallery")

# The typed words, and what the offers must include; None: exactly these. Directories and files are those of ROOT.
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
        # The examples of the footer name options as well, some of other commands.
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


def bash_offers(words, program=BINARY):
    script = run([program, "completion", "bash"]).stdout
    # Like readline, treats = as a separate word.
    words = [part for word in words for part in re.split(r"(=)", word)] if "=" in words[-1] else words
    quoted = " ".join("'" + word + "'" for word in words)
    text = script + f"\nCOMP_WORDS=({quoted})\nCOMP_CWORD={len(words) - 1}\n_oddsbound\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"\n"
    done = run(["bash", "--norc", "-u", "-c", text], cwd=ROOT)
    expect(not done.stderr, f"bash on {words}: {done.stderr}")
    return done.stdout.split("\n")


def fish_offers(words, program=BINARY):
    script = run([program, "completion", "fish"]).stdout
    with tempfile.TemporaryDirectory() as home:
        environment = {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_DATA_HOME": home}
        done = run(["fish", "--no-config", "-c", script + f"\ncomplete -C '{' '.join(words)}'"], cwd=ROOT, env=environment)
    expect(not done.stderr, f"fish on {words}: {done.stderr}")
    # --option=value is offered as a whole.
    return [re.sub("^--[a-z-]*=", "", line.split("\t")[0]) for line in done.stdout.splitlines()]


class Zsh:
    """An interactive zsh, since completion works nowhere else. The arguments of compadd are written to a file."""

    def __init__(self, program=BINARY):
        self.folder = tempfile.mkdtemp()
        with open(os.path.join(self.folder, "_oddsbound"), "w") as file:
            file.write(run([program, "completion", "zsh"]).stdout)
        self.offers = os.path.join(self.folder, "offers")
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(ROOT)
            os.environ.update(TERM="dumb", HOME=self.folder, PS1="", PATH=os.environ["PATH"])
            os.execvp("zsh", ["zsh", "-f", "-i"])
        self.type(f"fpath=({self.folder} $fpath); autoload -Uz compinit; compinit -u -D; LISTMAX=100000; PS1=re''ady'>'; stty kill undef\n")
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
        # Text typed before the prompt is not yet part of the editor's line.
        while b"ready>" not in seen.partition(f"DONE-{self.done}-".encode())[2]:
            if time.monotonic() > end:
                raise TimeoutError(f"zsh said {seen!r}")
            if select.select([self.terminal], [], [], 0.2)[0]:
                seen += os.read(self.terminal, 65536)
        return seen

    def __call__(self, words):
        open(self.offers, "w").close()
        self.type(" ".join(words) + "\t\x15")  # tab, then the line is discarded
        self.wait()
        with open(self.offers) as file:
            return file.read().split("\n")

    def close(self):
        os.close(self.terminal)
        os.waitpid(self.pid, 0)
        shutil.rmtree(self.folder)


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
    if "zsh" in shells:
        shells["zsh"].close()
    wrong = run([BINARY, "completion", "tcsh"])
    expect(wrong.returncode == 2 and wrong.stderr.count("\n") == 1 and "tcsh" in wrong.stderr, f"an unknown shell: {wrong}")


def special_characters():
    """Nothing in a description or a value is executed, and values arrive as literal words."""
    values = ["a b", "$(touch run)", "it's", "x[y]", "c=d", "`touch run`", 'q"r', "back\\slash", "*"]
    words = ["one two", "$three", "fo'ur"]
    shells = {"bash": lambda typed: [word.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\")
                                     for word in bash_offers(typed, HOSTILE)]}
    if shutil.which("fish"):
        shells["fish"] = lambda typed: fish_offers(typed, HOSTILE)
    if shutil.which("zsh"):
        shells["zsh"] = Zsh(HOSTILE)
    for shell, offers in shells.items():
        for typed, expected in [(["oddsbound", "odd", "--mode", ""], values), (["oddsbound", "odd", ""], words),
                                (["oddsbound", "od"], ["odd"]), (["oddsbound", "odd", "--mo"], ["--mode"])]:
            found = [word for word in offers(typed) if word]
            expect(sorted(found) == sorted(expected), f"{shell}: {typed} offers {found}")
    if "zsh" in shells:
        shells["zsh"].close()
    expect(not os.path.exists(os.path.join(ROOT, "run")), "something was run")
    page = run([HOSTILE, "man"]).stdout
    if shutil.which("groff"):
        read = run(["groff", "-man", "-Tascii", "-P-c", "-ww", "-rLL=300n", "-"], input=page)
        expect(not read.stderr, f"groff: {read.stderr}")
        page = re.sub(".\b", "", read.stdout)
        for text in [".It's \"a\" `touch run`: $(touch run) [x] \\ {y} #z %s", "'It's [x]: \"q\" `touch run` $(touch run) \\e end",
                     ".dot 'quoted' \\n -x ^~`", ".a line with a dot", "'a line with a quote"]:
            expect(text in page, f"the man page has no {text}")


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


def recorder(path, does=""):
    """A program that writes its arguments to path.arguments, one line per run."""
    with open(path, "w") as file:
        file.write(f"#!/bin/sh\n(for a in \"$@\"; do printf '%s\\037' \"$a\"; done; echo) >>'{path}.arguments'\n{does}\n")
    os.chmod(path, 0o755)


def recorded(path):
    with open(path + ".arguments") as file:
        lines = file.read().split("\037\n")[:-1]
    os.remove(path + ".arguments")
    return [line.split("\037") for line in lines]


class Action:
    """Plays through the steps of action.yml, each with the command line and the variables that GitHub would set."""

    def __init__(self, action, folder):
        self.steps = action["runs"]["steps"]
        self.inputs = {name: entry["default"] for name, entry in action["inputs"].items()}
        self.folder = folder
        self.programs = os.path.join(folder, "programs")
        os.makedirs(self.programs)

    def run(self, name, inputs=None, context=None, path=ROOT):
        step = next(step for step in self.steps if step.get("name") == name)
        values = {**{"inputs." + key: value for key, value in {**self.inputs, **(inputs or {})}.items()}, **(context or {})}
        environment = {**os.environ, "GITHUB_ACTION_PATH": path, "RUNNER_TEMP": self.folder,
                       "PATH": self.programs + ":" + os.environ["PATH"]}
        for file in ["GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STEP_SUMMARY"]:
            environment[file] = os.path.join(self.folder, file)
            open(environment[file], "w").close()
        for key, value in step.get("env", {}).items():
            environment[key] = re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match.group(1)], value)
        script = os.path.join(self.folder, "step.sh")
        with open(script, "w") as file:
            file.write(step["run"])
        done = run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], env=environment, cwd=self.folder)
        with open(environment["GITHUB_OUTPUT"]) as file:
            outputs = dict(line.split("=", 1) for line in file.read().splitlines())
        return done, outputs


def check_scripts(name, scripts):
    for script in scripts:
        expect("${{" not in script, f"{name}: an expression within a script:\n{script}")
        expect(run(["bash", "-n", "-c", script]).returncode == 0, f"{name}: bash -n:\n{script}")
        if shutil.which("shellcheck"):
            checked = run(["shellcheck", "--shell=bash", "--severity=warning", "--exclude=SC2164", "-"], input=script)
            expect(checked.returncode == 0, f"{name}: {checked.stdout}")


def cache_key(action):
    """The key changes with each file that may be part of the program: one in every folder of the tree is tried."""
    def key():
        return action.run("Look for oddsbound in the cache", path=tree)[1]["key"]

    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "tree")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(".git", "build", "node_modules", "__pycache__"))
        before = key()
        for top in sorted(os.listdir(tree)):
            path = os.path.join(tree, top)
            if os.path.isdir(path):
                path = min(os.path.join(at, name) for at, _, names in os.walk(path) for name in names)
            with open(path, "ab") as file:
                file.write(b" ")
            after = key()
            expect(after != before, f"the cache's key does not depend on {os.path.relpath(path, tree)}")
            before = after
        os.makedirs(os.path.join(tree, "new"))
        open(os.path.join(tree, "new", "file"), "w").close()
        expect(key() != before, "the cache's key does not depend on a new folder")
        before = key()
        for ignored in [".git", "build"]:
            os.makedirs(os.path.join(tree, ignored))
            open(os.path.join(tree, ignored, "file"), "w").close()
        expect(key() == before, "the cache's key depends on what is built")


def kept_and_uploaded(steps):
    """The Debian package is cached before a spec is read; results only if they are to be; nothing is uploaded."""
    uses = [step["uses"].split("@")[0] for step in steps if "uses" in step]
    expect(uses == ["actions/cache/restore", "actions/cache/save"] * 2, f"action.yml uses {uses}")
    asked = [step for step in steps if "uses" in step and "inputs.cache == 'true'" in step.get("if", "")]
    paths = {step["with"]["path"] for step in asked}
    expect(len(asked) == 2 and paths == {"${{ steps.place.outputs.results }}"}, f"action.yml keeps {paths} as results")
    paths = {step["with"]["path"] for step in steps if "uses" in step and step not in asked}
    expect(paths == {"${{ steps.place.outputs.folder }}"}, f"action.yml keeps {paths}")
    saved = next(i for i, step in enumerate(steps) if step.get("uses", "").startswith("actions/cache/save"))
    first_read = next(i for i, step in enumerate(steps) if "oddsbound verify" in step.get("run", ""))
    expect(saved < first_read, "action.yml keeps what is in the folder after specs were read")
    expect(not any(word in step.get("run", "") for step in steps for word in ["--format json", "certificate", "confidential"]),
           "action.yml writes exact results")


def github_action(yaml):
    with open(os.path.join(ROOT, "action.yml")) as file:
        definition = yaml.safe_load(file)
    steps = definition["runs"]["steps"]
    check_scripts("action.yml", [step["run"] for step in steps if "run" in step])
    expect(all(step["shell"] == "bash" for step in steps if "run" in step), "action.yml: every script is for bash")
    with tempfile.TemporaryDirectory() as folder:
        action = Action(definition, folder)
        done, outputs = action.run("Look for oddsbound in the cache")
        expect(done.returncode == 0 and re.fullmatch(r"oddsbound-\w+-[0-9a-f]{32}", outputs["key"]), f"the key: {done}")
        expect(outputs["folder"] == folder + "/oddsbound", f"the folder: {outputs}")
        cache_key(action)
        kept_and_uploaded(steps)

        apt = os.path.join(action.programs, "apt-get")
        recorder(apt)
        recorder(os.path.join(action.programs, "sudo"), 'shift; exec "$@"')
        with open(os.path.join(ROOT, "scripts/setup-debian.sh")) as file:
            known = file.read().split()
        done, _ = action.run("Install the packages that oddsbound is built with")
        update, install = recorded(apt)
        packages = [word for word in install[1:] if not word.startswith("-")]
        expect(done.returncode == 0 and update[0] == "update" and len(packages) > 10, f"packages: {done} {install}")
        expect(set(packages) <= set(known), f"setup-debian.sh does not have {set(packages) - set(known)}")
        building = {"Install the packages that oddsbound is built with", "Build oddsbound", "Keep oddsbound"}
        results = {"Look for results in the cache", "Keep results"}
        expect({step["name"] for step in steps if "if" in step} == building | results, "what a cached package makes needless")

        package = os.path.join(folder, "oddsbound/oddsbound.deb")
        cmake, cpack = (os.path.join(action.programs, name) for name in ("cmake", "cpack"))
        recorder(cmake)
        recorder(cpack, 'd="$RUNNER_TEMP/oddsbound-build/packages"; mkdir -p "$d"; printf built >"$d/oddsbound_1_amd64.deb"')
        done, _ = action.run("Build oddsbound")
        configure, build = recorded(cmake)
        expect(done.returncode == 0 and configure[:2] == ["-S", ROOT] and build[0] == "--build", f"build: {done}")
        expect("CPACK_COMPONENTS_ALL=Unspecified" in recorded(cpack)[0], "the package of the program alone")
        with open(package) as file:
            expect(file.read() == "built", "what was built is kept")
        expect(os.listdir(os.path.dirname(package)) == ["oddsbound.deb"], "more than the package is kept")
        done, _ = action.run("Install oddsbound")
        expect(done.returncode == 0 and package in recorded(apt)[1], f"the package is installed: {done}")

        program = os.path.join(action.programs, "oddsbound")
        recorder(program)
        done, outputs = action.run("Verify")
        expect(recorded(program) == [["verify", "--format", "github", "--", "specs"]], "the defaults of the action")
        expect(done.returncode == 0 and outputs == {"status": "0"}, f"the defaults of the action: {done}")
        hostile = "a b.json\n\n  $(touch pwned)\n'; touch pwned; '\n--format\n"
        inputs = {"specs": hostile, "lock": "my lock.json", "strict": "true", "sarif": "`touch pwned`", "html": "r 1.html"}
        action.run("Verify", inputs)
        verify, lock = recorded(program)
        expect(verify == ["verify", "--format", "github", "--format", "sarif", "--output", "`touch pwned`", "--format", "html",
                          "--output", "r 1.html", "--", "a b.json", "$(touch pwned)", "'; touch pwned; '", "--format"],
               f"inputs arrive as they are: {verify}")
        expect(lock == ["lock", "check", "--lock", "my lock.json", "--format", "github", "--strict"], f"the lock: {lock}")
        expect(not os.path.exists(os.path.join(folder, "pwned")), "no input is run")
        action.run("Verify", {"cache": "true", "lock": "l.json"})
        verify, lock = recorded(program)
        expect(verify[3:] == ["--cache", folder + "/oddsbound-results", "--", "specs"] and "--cache" not in lock, f"the cache: {verify} {lock}")
        for inputs in [{"strict": "yes"}, {"strict": "true"}, {"cache": "yes"}]:
            done, _ = action.run("Verify", inputs)
            expect(done.returncode == 2 and done.stdout.startswith("::error") and not os.path.exists(program + ".arguments"),
                   f"{inputs}: {done}")
        # 2 over 1 over 3 over 0; a crash is an error.
        for verified, locked in itertools.product([0, 1, 2, 3, 139], repeat=2):
            recorder(program, f'test "$1" = lock || exit {verified}; exit {locked}')
            done, outputs = action.run("Verify", {"lock": "l.json"})
            worst = min((2 if status == 139 else status for status in (verified, locked)), key=[2, 1, 3, 0].index)
            expect(len(recorded(program)) == 2, f"both are checked: {done}")
            expect(done.returncode == worst and outputs["status"] == str(worst),
                   f"verify {verified}, lock {locked}: {done.returncode} {outputs}")

        if "github" not in run([BINARY, "verify", "--help"]).stdout:
            skipped.append("this program has no --format github")
            return
        shutil.copy(BINARY, program)
        done, _ = action.run("Verify", {"specs": GALLERY + "/warner.json", "sarif": "o.sarif", "html": "o.html"})
        expect(done.returncode == 0, f"the action on a spec that holds: {done}")
        expect(all(os.path.getsize(os.path.join(folder, name)) for name in ["o.sarif", "o.html"]), "the action's files")
        kept = outputs = None
        for _ in range(2):
            done, outputs = action.run("Verify", {"specs": GALLERY + "/warner.json", "cache": "true"})
            expect(done.returncode == 0 and outputs["status"] == "0", f"with a cache: {done}")
            results = os.path.join(folder, "oddsbound-results")
            expect(kept in (None, sorted(os.listdir(results))) and len(os.listdir(results)) == 2, "the action keeps a result")
            kept = sorted(os.listdir(results))
            os.chmod(results, 0o755)  # as an archive may restore it
        done, outputs = action.run("Verify", {"specs": os.path.join(ROOT, "tests/cli/specs/failing.json")})
        expect(done.returncode == 1 and outputs["status"] == "1" and "::error" in done.stdout, f"a spec that fails: {done}")
        with open(os.path.join(folder, "GITHUB_STEP_SUMMARY")) as file:
            expect(file.read(), "the summary of the job is empty")


def gitlab_job(yaml):
    with open(os.path.join(ROOT, "docs/ci/gitlab-ci.yml")) as file:
        job = yaml.safe_load(file)["oddsbound"]
    check_scripts("gitlab-ci.yml", job["before_script"] + job["script"])
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "oddsbound")
        recorder(program)
        done = run(["bash", "-e", "-c", "\n".join(job["script"])], env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
        files = {job["artifacts"]["reports"]["junit"], *job["artifacts"]["paths"]}
        expect(done.returncode == 0 and files < set(recorded(program)[0]), f"gitlab-ci.yml writes its artifacts: {files}")
        if "junit" in run([BINARY, "verify", "--help"]).stdout:
            shutil.copy(BINARY, program)
            shutil.copytree(GALLERY, os.path.join(folder, "specs"))
            done = run(["bash", "-e", "-c", "\n".join(job["script"])], cwd=folder,
                       env={**os.environ, "PATH": folder + ":" + os.environ["PATH"]})
            expect(done.returncode == 0 and all(os.path.getsize(os.path.join(folder, name)) for name in files),
                   f"gitlab-ci.yml: {done}")


def pre_commit_hooks(yaml):
    with open(os.path.join(ROOT, ".pre-commit-hooks.yaml")) as file:
        hooks = {hook["id"]: hook for hook in yaml.safe_load(file)}
    for name, hook in hooks.items():
        # A commit may change a table or delete a spec, so there is no file name to pass.
        expect(hook["always_run"] is True and hook["pass_filenames"] is False and "files" not in hook, f"{name} is left out at times")
    with tempfile.TemporaryDirectory() as folder:
        def act(name):
            hook = hooks[name]
            return run([BINARY, *hook["entry"].split()[1:], *hook.get("args", [])], cwd=folder)
        specs = os.path.join(folder, "specs")
        os.makedirs(specs)
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "a", "size": 2}, {"name": "b", "size": 2}],
                "prior": {"type": "csv", "file": "people.csv", "columns": {"a": "a", "b": "b"}},
                "mechanism": {"type": "on", "coordinates": ["a"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}},
                "claims": [{"notion": "bcdp", "epsilon": {"b": "log(2)"}}]}
        def write(table):
            with open(os.path.join(specs, "people.csv"), "w") as file:
                file.write("a,b\n" + table)
        with open(os.path.join(specs, "s.json"), "w") as file:
            json.dump(spec, file)
        write("0,0\n0,1\n1,0\n1,1\n")
        expect(run([BINARY, "lock", "write", "specs"], cwd=folder).returncode == 0, "the lock is written")
        expect([act(name).returncode for name in hooks] == [0, 0], "hooks pass at first")
        write("0,0\n0,0\n0,0\n0,1\n1,0\n1,1\n1,1\n1,1\n")
        expect([act(name).returncode for name in hooks] == [0, 1], "a table that makes a level grow fails the lock's hook")
        write("0,0\n1,1\n")
        expect([act(name).returncode for name in hooks] == [1, 1], "a table that refutes a claim fails both hooks")
        os.remove(os.path.join(specs, "s.json"))
        expect(act("oddsbound-lock").returncode == 1, "a locked spec that is deleted fails the lock's hook")


def main():
    completions()
    special_characters()
    man_page()
    try:
        import yaml
        github_action(yaml)
        gitlab_job(yaml)
        pre_commit_hooks(yaml)
    except ImportError:
        skipped.append("python3-yaml is not installed: the action, the GitLab job and the hooks")
    for reason in skipped:
        print("skipped:", reason)
    for failure in failures:
        print("FAILED:", failure)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
