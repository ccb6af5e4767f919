"""Ways to tamper with a certificate of verdicts, all of which its checker must reject (claim_tampering.py). Each is a
function of a claim's entry and of a random source that changes the entry, or returns False if it has nothing to
change."""


def one_of(found, change, random):
    if not found:
        return False
    change(random.choice(found))
    return True


def swapped(witness):
    witness["from"], witness["to"] = witness["to"], witness["from"]


def scaled(key, factor):
    return lambda own: own.update({key: f"({own[key]})*{factor}"})


def from_witness(change, kept=lambda own: True):
    def apply(entry, random):
        own = [witness for witness in [entry.get("witness"), *entry.get("attained", [])] if witness is not None and kept(witness)]
        return one_of(own, change, random)
    return apply


def from_line(change):
    """Changes the evidence of a tight claim; a refuted claim needs the prior only."""
    return lambda entry, random: one_of([own for own in entry.get("attained", []) if "line" in own.get("prior", {})], change, random)


def from_matrix(change):
    return lambda entry, random: one_of([entry[key] for key in ("kernel", "gain") if key in entry], change, random)


def from_query(change):
    return lambda entry, random: one_of(entry.get("queries", []), change, random)


def doubled(cells):
    cells[0][0] = f"({cells[0][0]})*2 + 1"


def flipped(entry, _):
    entry["verdict"] = "holds" if entry["verdict"] == "refuted" else "refuted"
    return True


def differs(own):
    return own["p_from"] != own["p_to"]


FAULTS = {
    "the other verdict": flipped,
    "a verdict that is none": lambda entry, _: entry.update(verdict="likely") is None,
    "another notion": lambda entry, _: entry.update(notion="mdp") is None,
    "another name": lambda entry, _: entry.update(name=entry["name"] + "?") is None,
    "a field that is not known": lambda entry, _: entry.update(proved=True) is None,
    "no proof": lambda entry, _: entry.pop("proof", None) is not None,
    "another proof": lambda entry, _: "proof" in entry and entry.update(proof="kernel" if entry["proof"] != "kernel" else "gain") is None,
    "a proof that needs nothing": lambda entry, _: [entry.pop(key, None) for key in ("witness", "levels", "kernel", "gain")] != [None] * 4
    and entry.update(proof="queries") is None,
    "another probability": from_witness(scaled("p_from", "1000001/1000000"), lambda own: "p_from" in own),
    "a power of ten": from_witness(lambda own: own.update(p_from="1e999999999"), lambda own: "p_from" in own),
    "a power of powers": from_witness(lambda own: own.update(p_to="9^9^9"), lambda own: "p_to" in own),
    "a weight that is a power": from_witness(lambda own: own["prior"]["rows"][0].__setitem__(1, "1e999999999"), lambda own: "prior" in own),
    "a witness the other way": from_witness(swapped, lambda own: "p_from" in own and differs(own)),
    "a witness of one side": from_witness(lambda own: own.update({"to": own["from"]})),
    "a witness's output that there is not": from_witness(lambda own: own.update(output="nowhere"), lambda own: "output" in own),
    "a witness about nobody": from_witness(lambda own: own.update(coordinate="nobody")),
    "a witness without outputs": from_witness(lambda own: own.update(outputs=[]), lambda own: "outputs" in own),
    "an order below 1": from_witness(lambda own: own.update(order="1/2"), lambda own: "order" in own),
    "an order that is none": from_witness(lambda own: own.update(order="many"), lambda own: "order" in own),
    "a prior below 0": from_witness(lambda own: own["prior"]["rows"][0].__setitem__(1, "-1/1000"), lambda own: "prior" in own),
    "a prior of other people": from_witness(lambda own: own["prior"]["rows"][0].__setitem__(0, ["nobody"]), lambda own: "prior" in own),
    "losses without the two inputs": lambda entry, _: entry.get("proof") == "losses" and entry.pop("witness", None) is not None,
    "losses with two inputs of a claim that holds": lambda entry, _: entry.get("proof") == "losses" and entry["verdict"] == "holds"
    and entry.update(witness={"from": [], "to": []}) is None,
    "an input that there is not": from_witness(lambda own: own.update({"to": ["nowhere"]})),
    "a line that is a point": from_line(lambda own: own["prior"]["line"].__setitem__(1, own["prior"]["line"][0])),
    "a line with one end": from_line(lambda own: own["prior"]["line"].pop()),
    "a line from nowhere": from_line(lambda own: own["prior"]["line"].__setitem__(0, [])),
    "a prior without mass": from_witness(lambda own: own["prior"].update(rows=[]), lambda own: "prior" in own),
    "what attains a level left out": lambda entry, _: bool(entry.get("attained")) and differs(entry["attained"].pop()),
    "another cell": lambda entry, random: one_of([entry["kernel"]] if "kernel" in entry else [], doubled, random),
    "a row left out": from_matrix(lambda cells: cells.pop()),
    "nothing to gain": from_matrix(lambda cells: [row.__setitem__(slice(None), ["0"] * len(row)) for row in cells]),
    "values out of range": lambda entry, _: "values" in entry and entry.update(values={name: "-123456789" for name in entry["values"]}) is None,
    "values of other symbols": lambda entry, _: "values" in entry and entry.update(values={"nobody": "2"}) is None,
    "a query that asks nothing": from_query(lambda own: own.update(text="(exit)")),
    "an answer that is none": from_query(lambda own: own.update(z3="surely")),
}

# Of the whole document.
DOCUMENTS = {
    "another spec's name": lambda d: d.update(spec=d["spec"] + "?"),
    "another kind": lambda d: d.update(certificate="sets"),
    "a format of the future": lambda d: d.update(format=2),
    "another spec's hash": lambda d: d["files"][0].update(sha256="0" * 64),
    "no files": lambda d: d.update(files=[]),
    "a claim twice": lambda d: d["claims"].append(d["claims"][0]),
    "a claim that there is not": lambda d: d["claims"][0].update(claim=999),
    "a claim that is half": lambda d: d["claims"][0].update(claim=0.5),
    "a claim that is text": lambda d: d["claims"][0].update(claim="0"),
    "a field that is missing": lambda d: d.pop("undecided"),
    "a field that is not known": lambda d: d.update(accepted=True),
    "claims that are none": lambda d: d.update(claims={}),
}
TEXTS = {
    "NaN": lambda text: text.replace('"claim":', '"claim":NaN,"x":', 1),
    "a key twice": lambda text: text.replace('"claim":', '"verdict":"holds","claim":', 1),
    "endless depth": lambda text: text.replace('"claims":', '"claims":' + "[" * 100000, 1),
    "half a file": lambda text: text[:len(text) // 2],
    "nothing": lambda text: "",
}
