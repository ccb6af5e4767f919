"""Checks the tables of docs/deployed.md against `oddsbound verify` and the plans of audits/deployed.

deployed.py BINARY [--update]; prints the lines that differ. With --update it writes them. A table is between
`<!-- table: NAME -->` and `<!-- end of table -->`.
"""
import difflib
import json
import os
import re
import subprocess
import sys

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
PAGE = os.path.join(ROOT, "docs/deployed.md")
# Each spec belongs to the table that has a prefix of its name.
TABLES = {
    "browsers": ("attribution-", "k-anonymity-", "protected-audience-", "rappor-", "topics-"),
    "systems": ("apple-", "microsoft-"),
    "libraries": ("diffprivlib-", "ipa-", "mbi-", "multi-freq-ldpy-", "opendp-", "partition-", "prio-", "wfa-"),
    "selection": ("sparse-vector-",),
    "surveys": ("sdcmicro-", "survey-"),
}
MEANING = " For a person it means "
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end of table -->)", re.DOTALL)


def loaded(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return json.load(file)


def verdict_of(claim):
    """In a few words: 'holds exactly' if no smaller level holds, otherwise with the measured level."""
    if claim["verdict"] == "holds" and claim.get("tight"):
        return "holds exactly"
    found = claim["words"]["found"].replace(" (exact value: --format json)", "")
    found = re.sub(r"^exactly (?:.* = )?", "", found).replace("inf", "infinite")
    return f"{claim['verdict']}: {found}"


def meaning_of(spec):
    words = spec["description"].split(MEANING)[1].removeprefix("that ")
    return words[0].upper() + words[1:]


def cell(text):
    return re.sub(r"\s+", " ", text).replace("|", "\\|")


def row_of(spec, result):
    """The first claim is the published statement, or what follows from a published rate."""
    claim = result["claims"][0]
    words = claim["words"]["claim"].removesuffix(", tight")
    return "| " + " | ".join(map(cell, (
        f"[{spec['name']}](../specs/deployed/{spec['name']}.json)", spec["source"], claim["name"], f"`{words}`", verdict_of(claim),
        meaning_of(spec)))) + " |\n"


def table_of_specs(prefixes, specs, results):
    lines = "| spec | document | statement | claim | verdict | for a person |\n| --- | --- | --- | --- | --- | --- |\n"
    return lines + "".join(row_of(specs[name], results[name]) for name in sorted(specs) if name.startswith(prefixes))


def table_of_audits():
    lines = "| plan | sampler | fault | audit |\n| --- | --- | --- | --- |\n"
    for name in sorted(os.listdir(os.path.join(ROOT, "audits/deployed"))):
        if not name.endswith(".json") or name.endswith("-corrected.json"):
            continue
        plan = loaded(f"audits/deployed/{name}")
        twin = loaded(f"audits/deployed/{plan['name']}-corrected.json")
        assert twin["spec"] == plan["spec"] and twin["samples"] == plan["samples"] and twin["expect"] == "passes", name
        sampler = plan["sampler"]["program"].split()[2]
        lines += "| " + " | ".join(map(cell, (f"[{plan['name']}](../audits/deployed/{name})", f"`{sampler}`", plan["description"],
                                              plan["expect"]))) + " |\n"
    return lines


def main():
    binary, update = sys.argv[1], "--update" in sys.argv[2:]
    done = subprocess.run([binary, "verify", "--format", "json", "specs/deployed"], cwd=ROOT, stdout=subprocess.PIPE)
    results = {os.path.basename(result["file"]).removesuffix(".json"): result for result in json.loads(done.stdout)["specs"]}
    specs = {name: loaded(f"specs/deployed/{name}.json") for name in results}
    wrong = [f"specs/deployed/{name}.json has no table" for name in specs
             if sum(name.startswith(prefixes) for prefixes in TABLES.values()) != 1]
    wrong += [f"specs/deployed/{name}.json: the name is {spec['name']}" for name, spec in specs.items() if spec["name"] != name]
    wrong += [f"specs/deployed/{name}.json: the description does not have '{MEANING.strip()}' once" for name, spec in specs.items()
              if spec["description"].count(MEANING) != 1]
    if done.returncode != 0:
        wrong.append(f"verify specs/deployed has exit status {done.returncode}")
    if not wrong:
        tables = {name: table_of_specs(prefixes, specs, results) for name, prefixes in TABLES.items()}
        tables["audits"] = table_of_audits()
        with open(PAGE, encoding="utf-8") as file:
            text = file.read()
        made = TABLE.sub(lambda match: f"{match[1]}\n{tables.pop(match[2])}\n{match[3]}", text)
        wrong += [f"docs/deployed.md has no table {name}" for name in tables]
        for pattern, number in ((r"([\d,]+) specs", len(specs)), (r"([\d,]+) faulty samplers", table_of_audits().count("\n") - 2)):
            if re.findall(pattern, text) != [str(number)]:
                wrong.append(f"docs/deployed.md: found {re.findall(pattern, text)} for '{pattern}', expected [{number}]")
        if update:
            with open(PAGE, "w", encoding="utf-8") as file:
                file.write(made)
        else:
            wrong += difflib.unified_diff(text.splitlines(), made.splitlines(), "docs/deployed.md", "found", lineterm="")
    print("\n".join(wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
