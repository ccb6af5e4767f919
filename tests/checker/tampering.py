"""Ways to tamper with a certificate of a search, all of which its checker must reject (certificates.py)."""


def nodes(tree):
    yield tree
    for child in tree.get("next", []):
        yield from nodes(child)


def closed(document, kind):
    """The pairs closed that way: (coordinate, node, entry)."""
    return [(c, node, entry) for c in document["coordinates"] for node in nodes(c["tree"]) for entry in node.get("closed", []) if kind in entry]


def deepest(tree):
    """The last node above leaves, and an enumerated leaf."""
    inner = [node for node in nodes(tree) if "next" in node]
    return inner[-1], next(node for node in nodes(tree) if "enumerate" in node)


def replaced(entry, key, value):
    entry[key] = value


# Changes of a document: its coordinate c, and its pairs closed by a credit and by a plan, as returned by closed().
TAMPERED = {
    "a lower bound": lambda d, c, credit, plan: c.update(upper=f"{float(c['lower']) * 0.999999:.12f}", lower="0"),
    "an upper end below the lower one": lambda d, c, credit, plan: c.update(upper="0.1"),
    "a lower end above the level": lambda d, c, credit, plan: c.update(lower=c["upper"]),
    "a bound out of range": lambda d, c, credit, plan: c.update(upper="1e99"),
    "a bound below 0": lambda d, c, credit, plan: c.update(upper="-1", lower="-2"),
    "a child that is dropped": lambda d, c, credit, plan: deepest(c["tree"])[0]["next"].pop(),
    "all children dropped": lambda d, c, credit, plan: deepest(c["tree"])[0].pop("next"),
    "an enumeration dropped": lambda d, c, credit, plan: deepest(c["tree"])[1].pop("enumerate"),
    "an enumeration that is none": lambda d, c, credit, plan: deepest(c["tree"])[1].update(enumerate=False),
    "children below all outputs": lambda d, c, credit, plan: (deepest(c["tree"])[1].pop("enumerate"), deepest(c["tree"])[1].update(next=[{"enumerate": True}])),
    "a pair that is dropped": lambda d, c, credit, plan: credit[1].update(closed=[e for e in credit[1]["closed"] if e is not credit[2]]),
    "a pair that is swapped": lambda d, c, credit, plan: credit[2].update({"from": credit[2]["to"], "to": credit[2]["from"]}),
    "a pair closed twice": lambda d, c, credit, plan: credit[1]["closed"].append(dict(credit[2])),
    "a pair of one value": lambda d, c, credit, plan: credit[2].update(to=credit[2]["from"]),
    "a value that is not known": lambda d, c, credit, plan: credit[2].update(to="nobody"),
    "a value that is a list": lambda d, c, credit, plan: credit[2].update(to=[]),
    "another credit": lambda d, c, credit, plan: credit[2].update(credit=1e6),
    "a credit below 0": lambda d, c, credit, plan: credit[2].update(credit=-credit[2]["credit"] - 1),
    "a credit that is text": lambda d, c, credit, plan: credit[2].update(credit="1"),
    "a credit and a plan": lambda d, c, credit, plan: plan[2].update(credit=1),
    "neither": lambda d, c, credit, plan: plan[2].pop("plan"),
    "a share below 0": lambda d, c, credit, plan: replaced(plan[2]["plan"], 0, -plan[2]["plan"][0] - 1e-9),
    "a share that is dropped": lambda d, c, credit, plan: plan[2]["plan"].pop(),
    "shares of nothing": lambda d, c, credit, plan: plan[2].update(plan=[0] * len(plan[2]["plan"])),
    "all to one kind": lambda d, c, credit, plan: plan[2].update(plan=[0] * (len(plan[2]["plan"]) - 1) + [1]),
    "the wrong path": lambda d, c, credit, plan: c["tree"].update(next=c["tree"]["next"][::-1]),
    "another order of parts": lambda d, c, credit, plan: c["steps"].reverse(),
    "an output that is not listed": lambda d, c, credit, plan: c["steps"][0]["outputs"].pop(),
    "an output listed twice": lambda d, c, credit, plan: replaced(c["steps"][0]["outputs"], 0, c["steps"][0]["outputs"][1]),
    "an output of too many parts": lambda d, c, credit, plan: c["steps"][0]["outputs"][0].update({next(iter(c["steps"][0]["outputs"][0])): 2}),
    "parts that are not equal together": lambda d, c, credit, plan: c["steps"][0].update(parts=sum((s["parts"] for s in c["steps"]), [])),
    "a part that is dropped": lambda d, c, credit, plan: c["steps"].pop(),
    "a part that is not there": lambda d, c, credit, plan: c["steps"][0].update(parts=[99]),
    "coordinates that are left out": lambda d, c, credit, plan: c["within"].pop(),
    "a coordinate twice within": lambda d, c, credit, plan: c["within"].append(c["within"][0]),
    "a missing coordinate": lambda d, c, credit, plan: d["coordinates"].remove(c),
    "a coordinate twice": lambda d, c, credit, plan: d["coordinates"].append(c),
    "another coordinate's tree": lambda d, c, credit, plan: c.update(tree=next(other["tree"] for other in d["coordinates"] if other is not c)),
    "another witness": lambda d, c, credit, plan: c["witness"].update({"from": c["witness"]["to"], "to": c["witness"]["from"]}),
    "a witness that is a list": lambda d, c, credit, plan: c["witness"].update(to=[]),
    "a witness's output that is none": lambda d, c, credit, plan: c["witness"]["output"].pop(),
    "a field that is not known": lambda d, c, credit, plan: c["tree"].update(proved=True),
    "a field that is missing": lambda d, c, credit, plan: c.pop("steps"),
    "a tree that is none": lambda d, c, credit, plan: c.update(tree=[]),
    "another kind": lambda d, c, credit, plan: d.update(certificate="network"),
    "another spec's name": lambda d, c, credit, plan: d.update(spec="titanic"),
}


def of_bound(**fields):
    """Replaces fields of an averaged bound."""
    return lambda d, c, node, entry: entry["averaged"].update(fields)


# The same for a certificate with averaged bounds, and a pair that is closed by one: the pair with the largest ratio.
AVERAGED = {
    "a lower bound": lambda d, c, node, entry: c.update(upper=f"{float(c['lower']) * 0.999999:.12f}", lower="0"),
    "no fields": lambda d, c, node, entry: entry.update(averaged={}),
    "a list": lambda d, c, node, entry: entry.update(averaged=[1, 2, [0]]),
    "a number": lambda d, c, node, entry: entry.update(averaged=1),
    "another field": of_bound(order=[0]),
    "a field that is missing": lambda d, c, node, entry: entry["averaged"].pop("powers"),
    "everything in the block": lambda d, c, node, entry: entry["averaged"].update(block=len(c["steps"])),
    "a block that is too long": of_bound(block=10**6),
    "a block below 0": of_bound(block=-1),
    "a part of a block": of_bound(block=1.5),
    "a block that is text": of_bound(block="2"),
    "a base of 1": of_bound(base=1),
    "a base below 1": of_bound(base=0.5),
    "a base below 0": of_bound(base=-2),
    "a base that is 1 but for little": of_bound(base=1 + 2**-52 / 10**4),
    "a base that is huge": of_bound(base=1e99),
    "a base that is text": of_bound(base="2"),
    "a base that is a list": of_bound(base=[2]),
    "no powers": of_bound(powers=[]),
    "powers that are a number": of_bound(powers=1),
    "a power that is text": of_bound(powers=["1"]),
    "a power below 0": of_bound(powers=[-1]),
    "a part of a power": of_bound(powers=[0.5]),
    "a power out of range": of_bound(powers=[10**30]),
    "a power above all products": of_bound(powers=[10**20]),
    "a power that is far too large": of_bound(powers=[2**58]),
    "too many powers": of_bound(powers=[0] * 10**4),
    "a credit as well": lambda d, c, node, entry: entry.update(credit=1),
    "a plan as well": lambda d, c, node, entry: entry.update(plan=[1]),
    "another pair": lambda d, c, node, entry: entry.update({"from": entry["to"], "to": entry["from"]}),
    "a pair of one value": lambda d, c, node, entry: entry.update(to=entry["from"]),
    "a pair that is closed twice": lambda d, c, node, entry: node["closed"].append(dict(entry)),
    "a pair that is dropped": lambda d, c, node, entry: (node["closed"].remove(entry), node.pop("next", None)),
    "a closed node with an enumeration that is none": lambda d, c, node, entry: node.update(enumerate=False),
    "a node that is enumerated, and open below": lambda d, c, node, entry: (node.update(enumerate=True), node.update(next=[])),
    "steps in another order": lambda d, c, node, entry: c["steps"].reverse(),
}
# Changes of its text.
TEXTS = {
    "NaN": lambda text: text.replace('"credit":', '"credit":NaN,"x":', 1),
    "infinity": lambda text: text.replace('"credit":', '"credit":Infinity,"x":', 1),
    "a key twice": lambda text: text.replace('"tree":{', '"tree":{"enumerate":true},"tree":{', 1),
    "a huge number": lambda text: text.replace('"credit":', '"credit":1e999999999,"x":', 1),
    "endless digits": lambda text: text.replace('"credit":', '"credit":' + "9" * 5000 + ',"x":', 1),
    "endless depth": lambda text: text.replace('"tree":{', '"tree":' + '{"next":[' * 100000, 1),
    "half a file": lambda text: text[:len(text) // 2],
    "nothing": lambda text: "",
}
