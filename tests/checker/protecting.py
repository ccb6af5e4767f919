"""Utility-optimized LDP by its definition: the best choice of protected outputs, output by output and pair by pair."""
from oddsbound_check.exact import INFINITE, Worst, at_most


def sensitive(spec, claim):
    """The inputs that the claim lists, or those that meet its condition."""
    if isinstance(claim["sensitive"], list):
        return [tuple(x) for x in claim["sensitive"]]
    names = [name for name, _ in spec.domain]
    wanted = {names.index(name): [values] if isinstance(values, str) else values for name, values in claim["sensitive"].items()}
    return [x for x in spec.inputs if all(x[i] in values for i, values in wanted.items())]


def may_reveal(spec, claim, y):
    """The output is not protected: at most one input has it, and that one is not sensitive."""
    having = [x for x, row in zip(spec.inputs, spec.rows) if row[y] != 0]
    return len(having) <= 1 and not any(x in sensitive(spec, claim) for x in having)


def if_protected(spec, y):
    """The largest quotient of two inputs."""
    worst = Worst()
    for a, b in spec.all_pairs():
        worst.offer(spec.rows[a][y], spec.rows[b][y])
    return worst.value()


def is_protected(spec, claim, y):
    """As the claim says, or whatever is better."""
    if "protected" in claim:
        return spec.outputs[y] in claim["protected"]
    return not may_reveal(spec, claim, y)


def level(spec, claim):
    largest = 1
    for y in range(len(spec.outputs)):
        costs = {True: if_protected(spec, y), False: 1 if may_reveal(spec, claim, y) else INFINITE}
        if "protected" in claim and any(row[y] != 0 for row in spec.rows):
            own = costs[is_protected(spec, claim, y)]
        else:
            own = min(costs.values(), key=lambda cost: float("inf") if cost is INFINITE else 0 if at_most(cost, 1) else 1)
        if not at_most(own, largest):
            largest = own
    return largest


def named(spec, claim, random):
    """The outputs that are to be protected, sometimes with an error; None if labels name no outputs."""
    if len(set(spec.outputs)) < len(spec.outputs):
        return None
    chosen = [label for y, label in enumerate(spec.outputs) if not may_reveal(spec, claim, y)]
    if random.random() < 0.3:
        other = random.choice(spec.outputs)
        chosen = [label for label in chosen if label != other] if other in chosen else [*chosen, other]
    random.shuffle(chosen)
    return chosen or None
