"""Published output never reveals a confidential table: every command that measures something, in every format.

confidential.py BINARY: prints a line for each fault.

Two tables differ only in their counts. A number in the JSON of one and not in that of the other depends on the table:
no other format may contain its first five digits, the counts, or digests of files, unless --exact is given. Text
formats may differ in no number of more than three digits. With "published": true everything is exact.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

BINARY = os.path.abspath(sys.argv[1])
COUNTS = {"ours": [10787, 3761, 2203, 6841], "theirs": [11003, 4219, 1907, 7243]}
CELLS = [("no", "low"), ("no", "high"), ("yes", "low"), ("yes", "high")]
REPORTS = ["text", "html", "markdown", "sarif", "junit", "github", "registry"]
PAGES = ["text", "html"]

failures = []


def fault(what):
    failures.append(what)
    print(what)


def table_of(counts):
    return "ill,income,n\n" + "".join(f"{ill},{income},{n}\n" for (ill, income), n in zip(CELLS, counts))


def spec(claims, mechanism, published, **more):
    prior = {"type": "csv", "file": "people.csv", "count": "n", "published": published}
    return {"oddsbound": 1, "name": "a survey", "domain": [{"name": "ill", "values": ["no", "yes"]},
                                                           {"name": "income", "values": ["low", "high"]}],
            "prior": prior, "mechanism": mechanism, "claims": claims, **more}


def answers(epsilon):
    return {"type": "per_coordinate", "mechanisms": {"income": {"type": "k_randomized_response", "epsilon": epsilon}}}


MATRIX = {"type": "matrix", "outputs": ["low", "high"], "rows": [["0.9", "0.1"], ["0.2", "0.8"], ["0.7", "0.3"], ["0.1", "0.9"]]}
CLAIMS = [{"notion": "ldp", "epsilon": "log(3)"}, {"notion": "bcdp", "epsilon": {"ill": "0.1"}, "expect": "refuted"},
          {"notion": "bdp", "epsilon": "1"}, {"notion": "approximate_bcdp", "epsilon": "0.01", "delta": "0.5"},
          {"notion": "bayes_leakage", "at_most": "3"}]


def documents(published):
    claims = [claim for claim in CLAIMS if claim["notion"] not in ("approximate_bcdp", "bayes_leakage")]
    design = spec([], {}, published)
    for key in ("oddsbound", "mechanism", "claims"):
        del design[key]
    # The limit on `ill` binds, so the loss depends on the table.
    release = {"release": ["income"], "constraints": [{"notion": "bcdp", "epsilon": {"ill": "0.1", "income": "log(50)"}}]}
    return {
        "survey.json": spec(claims, answers("log(3)"), published),
        "twice.json": spec([{"notion": "bcdp", "epsilon": {"ill": "0.2", "income": "2"}}], answers("log(5)"), published),
        "tuned.json": spec([{"notion": "bcdp", "epsilon": {"ill": "0.13"}}], answers("eps"), published,
                           parameters={"eps": "1"}),
        "broken.json": spec([{"notion": "bcdp", "epsilon": {"ill": "0.1", "income": "1"}}], MATRIX, published),
        "best.design.json": {"oddsbound_design": 1, **design, **release, "objective": {"expected": "zero_one"}},
        "form.design.json": {"oddsbound_design": 1, **design, **release, "form": "product",
                             "objective": {"estimate": [["income"]]}},
    }


# Answers truthfully too often.
SAMPLER = '''import json
import random
import sys

for line in sys.stdin:
    request = json.loads(line)
    generator = random.Random(request["seed"])
    income = request["input"][1]
    other = {"low": "high", "high": "low"}[income]
    outputs = [[one] for one in generator.choices([income, other], weights=[17, 3], k=request["count"])]
    print(json.dumps({"outputs": outputs}), flush=True)
'''

COMMANDS = {  # name: arguments, formats besides JSON
    "verify": (["verify", "--figures", "survey.json", "broken.json"], REPORTS),
    "analyze": (["analyze", "--figures", "survey.json"], ["text", "html", "markdown"]),
    "audit": (["audit", "--seed", "3", "-n", "20000", "--all-levels", "survey.json"], REPORTS),
    "audit --until": (["audit", "--seed", "3", "-n", "20000", "--until", "survey.json", "twice.json"], PAGES),
    "audit --program": (["audit", "--seed", "3", "-n", "20000", "--program", "python3 sampler.py", "survey.json"], REPORTS),
    "audit --exhaustive": (["audit", "--exhaustive", "survey.json"], ["html", "sarif"]),
    "audit --plan-runs": (["audit", "--plan-runs", "0.1", "twice.json"], ["text"]),
    "compare": (["compare", "survey.json", "twice.json"], PAGES),
    "compose": (["compose", "survey.json", "twice.json", "--times", "3,2", "--delta", "1e-6", "--epsilon", "1"], PAGES),
    "tune": (["tune", "tuned.json", "--parameter", "eps", "--from", "0", "--to", "4"], PAGES),
    "estimate": (["estimate", "survey.json", "--samples", "1000"], ["text"]),
    "design": (["design", "best.design.json"], PAGES),
    "design of a form": (["design", "form.design.json"], PAGES),
    "repair": (["repair", "broken.json"], PAGES),
}
# The JSON of these is a spec; their findings are only in the text.
TEXT_IN_PLACE_OF_JSON = {"design", "design of a form", "repair"}
# These depend on no table, except for digests of files.
INDEPENDENT = {"audit --exhaustive", "compose"}


def run(arguments, folder, statuses=(0, 1, 3)):
    environment = {name: value for name, value in os.environ.items() if name != "GITHUB_STEP_SUMMARY"}
    done = subprocess.run([BINARY, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, env=environment)
    if done.returncode not in statuses:
        fault(f"{' '.join(arguments)}: status {done.returncode}: {done.stderr}")
    return done.stdout + done.stderr


NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e[-+]?\d+)?|[0-9a-f]{64}")


def numbers_in(text):
    """Numbers of more than three significant digits, and digests."""
    found = set()
    for token in NUMBER.findall(text):
        digits = token.split("e")[0].replace(".", "").strip("0") if len(token) < 64 else token
        if len(digits) > 3:
            found.add(token)
    return found


def without_times(text):
    return re.sub(r'"seconds": [0-9.e-]+|time="[0-9.]+"|\d{4}-\d\d-\d\d \d\d:\d\d UTC', "", text)


def secrets_of(ours, theirs):
    """What only one of the JSON documents contains: the first five digits, or all parts of a fraction."""
    secrets = set()
    for token in numbers_in(ours) - numbers_in(theirs):
        if len(token) == 64:
            secrets.add(token)
        elif "." not in token:
            secrets.add(token)
        elif len(token.split("e")[0].replace(".", "").lstrip("0")) >= 5:
            head = re.match(r"[0.]*\d(?:\.?\d){4}", token)
            secrets.add(head.group())
    return secrets


def shown(secrets, text):
    return sorted(one for one in secrets if one in text and re.search(r"(?<![\d.])" + re.escape(one), text))


def visible(text, form):
    """The visible text of a page, without drawing coordinates."""
    if form != "html":
        return text
    return re.sub(r"<style.*?</style>|<script[^>]*>(?!\s*[{\[]).*?</script>", "", text, flags=re.S)


def check(name, arguments, formats, folders):
    json_of = {who: without_times(run([*arguments, "--format", "text", "--exact"] if name in TEXT_IN_PLACE_OF_JSON
                                          else [*arguments, "--format", "json"], folder))
               for who, folder in folders.items() if who != "published"}
    if name not in TEXT_IN_PLACE_OF_JSON and '"confidential": true' not in json_of["ours"]:
        fault(f"{name}: its JSON does not say that it is confidential")
    secrets = secrets_of(json_of["ours"], json_of["theirs"]) | {str(n) for n in COUNTS["ours"]}
    exactly_shown = set()
    for form in formats:
        texts = {who: without_times(run([*arguments, "--format", form], folders[who]))
                 for who in (["ours"] if form == "html" else ["ours", "theirs"])}
        if found := shown(secrets, visible(texts["ours"], form)):
            fault(f"{name} --format {form}: shows {found[:5]}")
        if form != "html" and (more := numbers_in(texts["ours"]) - numbers_in(texts["theirs"])):
            fault(f"{name} --format {form}: depends on the table in {sorted(more)[:5]}")
        exact = without_times(run([*arguments, "--format", form, "--exact"], folders["ours"]))
        exactly_shown |= set(shown(secrets, exact))
        if form not in ("text", "html"):
            continue
        public = without_times(run([*arguments, "--format", form], folders["published"]))
        same = re.sub(r"[0-9a-f]{64}", "", exact) == re.sub(r"[0-9a-f]{64}", "", public)
        # For a published table, `tune` decides no three-digit values besides the one that it found.
        if not same and (name, form) != ("tune", "html"):
            fault(f"{name} --format {form}: --exact is not what a published table gives")
    if not exactly_shown and name not in INDEPENDENT:
        fault(f"{name}: --exact shows nothing of {sorted(secrets)[:5]}")


def check_report(folders):
    """A stored result is rounded when it is rendered."""
    for name, arguments in (("verify", ["verify", "--figures", "survey.json"]),
                            ("audit", ["audit", "--seed", "3", "-n", "20000", "survey.json"])):
        texts = {who: run([*arguments, "--format", "json"], folder) for who, folder in folders.items()}
        secrets = secrets_of(without_times(texts["ours"]), without_times(texts["theirs"]))
        with open(os.path.join(folders["ours"], "stored.json"), "w", encoding="utf-8") as file:
            file.write(texts["ours"])
        for form in REPORTS[1:]:
            if found := shown(secrets, visible(run(["report", "stored.json", "--format", form], folders["ours"]), form)):
                fault(f"report of {name} --format {form}: shows {found[:5]}")
        if not shown(secrets, run(["report", "stored.json", "--exact"], folders["ours"])):
            fault(f"report of {name}: --exact shows nothing")


def check_descriptions(folders):
    """The loss in the description of a designed spec, which reports repeat, is rounded."""
    for request in ("best.design.json", "form.design.json"):
        made = {who: json.loads(run(["design", request, "--format", "json"], folder))
                for who, folder in folders.items()}
        if numbers_in(made["ours"]["description"]):
            fault(f"design {request}: the description has {made['ours']['description']!r}")
        if made["ours"]["prior"].get("published"):
            fault(f"design {request}: the table is said to be published")
        if made["published"]["prior"].get("published") is not True:
            fault(f"design {request}: the table is not said to be published any more")


def main():
    with tempfile.TemporaryDirectory() as root:
        folders = {}
        for who, counts in {**COUNTS, "published": COUNTS["ours"]}.items():
            folders[who] = os.path.join(root, who)
            os.mkdir(folders[who])
            for name, document in documents(who == "published").items():
                with open(os.path.join(folders[who], name), "w", encoding="utf-8") as file:
                    json.dump(document, file, indent=1)  # places are the same, published or not
            with open(os.path.join(folders[who], "sampler.py"), "w", encoding="utf-8") as file:
                file.write(SAMPLER)
            with open(os.path.join(folders[who], "people.csv"), "w", encoding="utf-8") as file:
                file.write(table_of(counts))
        only = sys.argv[2:]
        for name, (arguments, formats) in COMMANDS.items():
            if not only or name in only:
                check(name, arguments, formats, folders)
        check_report(folders)
        check_descriptions(folders)
    print(f"{len(failures)} faults")
    return 1 if failures else 0


sys.exit(main())
