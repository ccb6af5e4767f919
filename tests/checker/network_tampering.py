"""Ways to tamper with a certificate along a network, all of which its checker must reject (network_certificates.py)."""


def sums(document):
    """Sets with sums or products that are used by others."""
    used = {n for made in document["sets"] for n in made.get("sets", [])}
    return [made for n, made in enumerate(document["sets"]) if n in used and made.get("sets")]


def pruned(document):
    """The set that drops most rays."""
    return max((made for made in sums(document) if "kept" in made), key=lambda made: len(made["others"]))


def left_out(document):
    """The weights of the ray that is a combination of most others."""
    return max(pruned(document)["others"].values(), key=len)


def with_tables(document):
    return [made for made in sums(document) if made["tables"]]


def replaced(entry, key, value):
    entry[key] = value


def without_needed(made):
    """States that a needed ray equals another one."""
    ray = made["kept"].pop()
    made["others"] = {n: weights for n, weights in made["others"].items() if str(ray) not in weights}
    made["others"][str(ray)] = {str(made["kept"][0]): 1}


def needed_as_both(made):
    """States that a needed ray is halfway between two others; combinations that use it use these instead."""
    ray, (one, other, *_) = made["kept"].pop(), made["kept"]
    for weights in made["others"].values():
        share = weights.pop(str(ray), 0)
        for n in (one, other):
            weights[str(n)] = weights.get(str(n), 0) + share / 2
    made["others"][str(ray)] = {str(one): 0.5, str(other): 0.5}


def swapped(one, other, key):
    one[key], other[key] = other[key], one[key]


# Changes of a document.
TAMPERED = {
    "lower bounds": lambda d: [c.update(upper=f"{float(c['lower']) * 0.999999:.12f}", lower="0") for c in d["coordinates"]],
    "a smaller F, and nothing else": lambda d: d["coordinates"][0].update(upper=f"{float(d['coordinates'][0]['lower']) + 1e-11:.12f}"),
    "an upper end below the lower one": lambda d: d["coordinates"][0].update(upper="0.01"),
    "a lower end above the level": lambda d: d["coordinates"][0].update(lower=d["coordinates"][0]["upper"]),
    "a bound out of range": lambda d: d["coordinates"][0].update(upper="1e99"),
    "a ray that is dropped": lambda d: pruned(d)["others"].popitem(),
    "a kept ray that is dropped": lambda d: pruned(d)["kept"].pop(),
    "all kept rays dropped": lambda d: pruned(d).update(kept=[], others={}),
    "a needed ray left out as another one": lambda d: without_needed(pruned(d)),
    "a needed ray left out as halfway between others": lambda d: needed_as_both(pruned(d)),
    "a ray kept twice": lambda d: pruned(d)["kept"].append(pruned(d)["kept"][0]),
    "a kept ray that is none": lambda d: pruned(d)["kept"].append(10**6),
    "half a ray kept": lambda d: pruned(d)["kept"].append(0.5),
    "a kept ray that is true": lambda d: replaced(pruned(d)["kept"], 0, True),
    "kept rays alone": lambda d: pruned(d).pop("others"),
    "kept rays of others": lambda d: pruned(d).pop("kept"),
    "another weight": lambda d: left_out(d).update({next(iter(left_out(d))): 0.9}),
    "a weight that is dropped": lambda d: left_out(d).popitem(),
    "no weights": lambda d: left_out(d).clear(),
    "weights of 0": lambda d: left_out(d).update(dict.fromkeys(left_out(d), 0)),
    "a weight below 0": lambda d: left_out(d).update({next(iter(left_out(d))): -0.5}),
    "a weight that is text": lambda d: left_out(d).update({next(iter(left_out(d))): "0.5"}),
    "a weight that is true": lambda d: left_out(d).update({next(iter(left_out(d))): True}),
    "a weight of a ray that is not kept": lambda d: left_out(d).update({next(iter(pruned(d)["others"])): 0.1}),
    "a ray made of itself": lambda d: replaced(pruned(d)["others"], next(iter(pruned(d)["others"])), {next(iter(pruned(d)["others"])): 1}),
    "a ray that is not there": lambda d: pruned(d)["others"].update({"1000000": dict(left_out(d))}),
    "a ray named otherwise": lambda d: pruned(d)["others"].update({"0" + next(iter(pruned(d)["others"])): pruned(d)["others"].pop(next(iter(pruned(d)["others"])))}),
    "a table used twice": lambda d: with_tables(d)[0]["tables"].append(with_tables(d)[0]["tables"][0]),
    "a table used again later": lambda d: with_tables(d)[-1]["tables"].append(with_tables(d)[0]["tables"][0]),
    "a table that is dropped": lambda d: with_tables(d)[0]["tables"].pop(),
    "another table": lambda d: swapped(with_tables(d)[0], with_tables(d)[-1], "tables"),
    "a table that is not there": lambda d: with_tables(d)[0]["tables"].append("nobody"),
    "a set used twice": lambda d: sums(d)[0]["sets"].append(sums(d)[0]["sets"][0]),
    "a set that is dropped": lambda d: sums(d)[0]["sets"].pop(),
    "a set of itself": lambda d: replaced(sums(d)[0]["sets"], 0, d["sets"].index(sums(d)[0])),
    "a set that comes later": lambda d: replaced(sums(d)[0]["sets"], 0, len(d["sets"]) - 1),
    "a set below 0": lambda d: replaced(sums(d)[0]["sets"], 0, -1),
    "half a set": lambda d: replaced(sums(d)[0]["sets"], 0, 0.5),
    "a coordinate summed out too early": lambda d: max(sums(d), key=lambda made: len(made["over"]))["over"].pop(),
    "nothing left in the sum": lambda d: sums(d)[0].update(over=[]),
    "another scope": lambda d: swapped(with_tables(d)[0], next(made for made in with_tables(d) if set(made["over"]) != set(with_tables(d)[0]["over"])), "over"),
    "a scope named twice": lambda d: sums(d)[0]["over"].append(sums(d)[0]["over"][0]),
    "what was summed out, there again": lambda d: [made["over"].extend(c["coordinate"] for c in d["coordinates"] if c["coordinate"] not in made["over"]) for made in with_tables(d)[-2:]],
    "another part": lambda d: next(made for made in d["sets"] if "part" in made).update(part=next(made["part"] for made in d["sets"][::-1] if "part" in made)),
    "a part that is not there": lambda d: next(made for made in d["sets"] if "part" in made).update(part=99),
    "a part over other coordinates": lambda d: next(made for made in d["sets"] if "part" in made).update(over=["a0"]),
    "a part with a table": lambda d: next(made for made in d["sets"] if "part" in made).update(tables=["a0"]),
    "a part that is missing": lambda d: d["coordinates"][0]["sets"].remove(next(n for n in d["coordinates"][0]["sets"] if "part" in d["sets"][n])),
    "a part twice in what is claimed": lambda d: d["coordinates"][0]["sets"].append(next(n for n in d["coordinates"][0]["sets"] if "part" in d["sets"][n])),
    "a claim of nothing": lambda d: d["coordinates"][0].update(sets=[]),
    "another coordinate's sets": lambda d: swapped(*d["coordinates"][:2], "sets"),
    "another coordinate's name": lambda d: swapped(*d["coordinates"][:2], "coordinate"),
    "a missing coordinate": lambda d: d["coordinates"].pop(),
    "a coordinate twice": lambda d: d["coordinates"].append(d["coordinates"][0]),
    "another witness": lambda d: swapped(d["coordinates"][0]["witness"], d["coordinates"][1]["witness"], "output"),
    "a witness the other way": lambda d: d["coordinates"][0]["witness"].update({"from": d["coordinates"][0]["witness"]["to"], "to": d["coordinates"][0]["witness"]["from"]}),
    "a witness's output that is short": lambda d: d["coordinates"][0]["witness"]["output"].pop(),
    "a witness of nobody": lambda d: d["coordinates"][0]["witness"].update(to="nobody"),
    "a field that is not known": lambda d: d["sets"][0].update(proved=True),
    "a field that is missing": lambda d: sums(d)[0].pop("over"),
    "sets that are none": lambda d: d.update(sets={}),
    "a set less": lambda d: d["sets"].pop(0),
    "another kind": lambda d: d.update(certificate="search"),
    "another spec's name": lambda d: d.update(spec="titanic"),
}
# Changes of its text.
TEXTS = {
    "NaN": lambda text: text.replace('"others":{"', '"others":{"x":{"0":NaN},"', 1),
    "infinity": lambda text: text.replace('"others":{"', '"others":{"x":{"0":Infinity},"', 1),
    "a key twice": lambda text: text.replace('"over":', '"over":[],"over":', 1),
    "endless digits": lambda text: text.replace('"sets":[', '"sets":[' + "9" * 5000 + ",", 1),
    "half a file": lambda text: text[:len(text) // 2],
    "nothing": lambda text: "",
}
