"""Checks a certificate of `oddsbound design` from the request alone (docs/design.md), and, if given, that the
mechanism satisfies the request and has the proved value. Shares no code with the tool.

design_certificates.py REQUEST CERTIFICATE [--mechanism SPEC]
  Exit status 0: accepted. 1: rejected. 2: the request, the certificate or the mechanism cannot be read. 3: nothing
  shows that the mechanism satisfies a constraint over a set of priors without a closed form (`network`, `marginals`).
  Only outputs and rows of the mechanism's file count; its domain must be that of the request, which determines all
  else. Not for requests with `form`: product_designs.py checks their certificates.
"""
import argparse
import sys

import design_mechanisms
import design_proofs
from column_designs import ColumnRequest
from design_limits import Rejected, require
from design_request import Request
from oddsbound_check.expression import number
from oddsbound_check.report import ACCEPTED, NOT_PROVED, REJECTED, UNREADABLE, NotProved, printable
from reference import Spec, load
from strict_design import check as check_request

COLUMNS = {"estimate", "most"}  # objectives whose outputs are found


def say(line):
    print(printable(line))


def check_columns(path, certificate, spec):
    request = ColumnRequest(path)
    bound = request.check(certificate)
    if spec is not None:
        told = design_mechanisms.told_by(request, spec)
        # By their places: labels may occur twice.
        value = request.value(request.columns_of([dict(enumerate(row)) for row in told.rows], range(len(told.outputs))))
        require(value is not None and not request.is_better(value, bound), "the mechanism is better than what is proved of all")
        require(all("for_all" in claim or told.holds(claim) for claim in request.constraints), "the mechanism does not keep a constraint")
        return f"nothing is better than {float(bound):.9g}, and the mechanism has {float(value):.9g}"
    return f"nothing is better than {float(bound):.9g}"


def check_entries(path, certificate, spec):
    request = Request(path)
    design_proofs.check(request, certificate)
    if "exceeded_by" in certificate:
        require(spec is None, "a mechanism, and a certificate that there is none")
        return "no mechanism keeps the constraints and the limits on losses"
    bound = number(certificate["at_least"])
    if spec is None:
        return f"no mechanism loses less than {float(bound):.9g}"
    problems = design_mechanisms.problems_of(request, spec, certificate)
    require(not problems, f"the mechanism: {'; '.join(map(str, problems[:3]))}")
    loss = request.objective.of(design_mechanisms.rows_of(request, spec))
    require(not loss < bound, "the mechanism loses less than what is proved of all")
    unproved = design_mechanisms.unproved_of(request, spec)
    if unproved:
        raise NotProved(f"the mechanism: {'; '.join(unproved[:3])}")
    return f"no mechanism loses less than {float(bound):.9g}, and this one loses {float(loss):.9g}"


def verdict(request, certificate, mechanism=None):
    try:
        check_request(request)
        spec = None if mechanism is None else Spec(mechanism)
        objective, document = load(request).get("objective", {}), load(certificate)
        require(document.get("oddsbound_design_certificate") == "1", "no certificate of a design")
        say("accepted: " + (check_columns if COLUMNS & set(objective) else check_entries)(request, document, spec))
        return ACCEPTED
    except Rejected as error:
        say(f"rejected: {error}")
        return REJECTED
    except NotProved as error:
        say(f"not proved: {error}")
        return NOT_PROVED
    except (OSError, ValueError, TypeError, ArithmeticError, LookupError, AttributeError, AssertionError, RecursionError) as error:
        say(f"unreadable: {type(error).__name__}: {error}")
        return UNREADABLE


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("request")
    parser.add_argument("certificate")
    parser.add_argument("--mechanism")
    arguments = parser.parse_args()
    return verdict(arguments.request, arguments.certificate, arguments.mechanism)


if __name__ == "__main__":
    sys.exit(main())
