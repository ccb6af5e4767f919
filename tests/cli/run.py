"""Runs the program as a user would, and compares its output with golden files.

run.py BINARY; with --update it rewrites the golden files, to be reviewed as a diff; with --all it also runs slow
cases.
"""
import difflib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import made

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.abspath(os.path.join(HERE, "..", ".."))
GOLDEN = os.path.join(HERE, "golden")
GALLERY = "specs/gallery"
DATA = f"{GALLERY}/data"
DAYS = "specs/large/hundred-days.json"
FAMILIES = ["k_randomized_response", "optimal_binary", "hadamard_response", "high_low_hadamard_response", "block_hadamard_response",
            "subset_selection", "unary_encoding", "rappor", "optimized_local_hashing", "truncated_geometric",
            "discrete_laplace_truncated", "discrete_gaussian_truncated", "exponential_mechanism", "duchi_hypercube", "bcdp_mean",
            "duchi_l2_ball", "bcdp_mean_l2"]

MISBEHAVIOUR = ["hangs", "garbage", "floods", "unknown", "too-many", "says-no", "kills-itself", "eats-memory", "deep", "negative", "ends-quietly", "idles", "one-too-many"]

RELEASES = "tests/cli/releases"
TABLES = "audits/specs/tables"
BROKEN = "tests/cli/broken/data"
BAD_RELEASES = ["no-steps", "unknown-step", "unknown-attribute", "nothing-counted", "unknown-value", "empty-pattern", "scale-zero", "scale-irrational", "two-noises", "no-noise", "window-negative", "budget-of-nothing", "budget-without-bound", "budget-each-false", "budget-delta-alone", "budget-delta-one", "declared-infinite", "declared-rho-negative", "from-prior", "version", "columns-unknown",
                "declared-each-false", "hitters-no-share", "hitters-share-large", "hitters-share-irrational", "hitters-scale-too", "hitters-nothing-given", "hitters-no-threshold", "hitters-margin-zero", "hitters-epsilon-zero", "hitters-epsilon-tiny", "hitters-share-alone", "hitters-limit-zero", "hitters-of-nothing",
                "mwem-of-nothing", "mwem-no-rounds", "mwem-rounds-zero", "mwem-rate-irrational", "mwem-fit-unknown", "mwem-together-too-many", "mwem-bits-many", "mwem-too-wide", "mwem-too-many-sets", "mwem-table-wide", "consistent-too-wide",
                "learn-no-concept", "learn-unknown-concept", "learn-label-inside", "learn-label-of-three", "learn-no-label", "learn-point-both", "learn-point-no-counts", "learn-threshold-of-three", "learn-threshold-error-one", "learn-threshold-log", "learn-threshold-half-given", "learn-halfspace-odds", "learn-halfspace-margin", "learn-halfspace-inner", "learn-halfspace-no-planes", "learn-halfspace-too-many", "learn-halfspace-short", "learn-halfspace-twice", "learn-distribution-no-share"]

BAD_DESIGNS = ["curve-far", "curve-infinite", "curve-over-set", "sample", "product-sample", "absolute-of-two", "absolute-of-words", "both-objectives", "delta-irrational", "denominator", "estimate-constant", "estimate-delta", "estimate-no-prior", "estimate-outputs", "estimate-two", "estimate-unknown", "exact-denominator", "exact-no-boolean", "hamming-of-labels", "key", "loss-columns", "loss-irrational", "loss-limit-both", "loss-limit-irrational", "loss-limit-key", "loss-limit-negative", "loss-limit-without", "loss-negative", "loss-rows", "marginals-without-form", "most-unknown", "no-constraints", "no-objective", "no-prior", "not-linear", "outputs-and-release", "outputs-none", "outputs-twice", "prior-irrational", "product-curve", "product-decisions", "product-denominator", "product-exact", "product-form-number", "product-frequencies", "product-gap", "product-key", "product-loss", "product-losses", "product-no-marginals", "product-no-prior", "product-not-estimated", "product-not-released", "product-nothing-left", "product-outputs", "product-reads", "product-refuted", "product-symmetries", "product-table", "product-tight", "product-twice", "product-two-objectives", "product-unknown-attribute", "product-unknown-form", "product-weight-zero", "product-weights", "product-weights-of-loss", "reads-unknown", "refuted", "release-unknown", "symmetry-no-values", "symmetry-outputs-follow", "symmetry-outputs-missing", "symmetry-short", "symmetry-twice", "symmetry-unknown-attribute", "symmetry-unknown-output", "symmetry-unknown-value", "tight", "unknown-loss", "unknown-prior-set", "use-columns", "use-empty", "use-irrational", "version"]

# name, arguments, exit status, standard input
CASES = [
    ("design", ["design", "specs/designs/titanic.design.json"], 0, None),
    ("design-spec", ["design", "specs/designs/titanic.design.json", "--format", "json", "--certificate", "/dev/null"], 0, None),
    ("design-commas", ["design", "tests/cli/designs/commas.design.json", "--format", "json", "--certificate", "/dev/null"], 0, None),
    ("design-certificate", ["design", "tests/cli/designs/fine.design.json", "--format", "json", "--certificate", "/dev/stdout"], 0, None),
    ("design-below", ["design", "tests/cli/designs/fine.design.json"], 0, None),
    ("design-over-a-set", ["design", "specs/designs/titanic-about.design.json"], 0, None),
    ("design-over-a-line", ["design", "tests/cli/designs/over-a-line.design.json"], 0, None),
    ("design-curve", ["design", "specs/designs/hours.design.json"], 0, None),
    ("design-curve-of-pairs", ["design", "tests/cli/designs/context-curve.design.json"], 0, None),
    ("design-many-values", ["design", "tests/cli/designs/many-values.design.json", "--max-seconds", "2"], 3, None),
    ("design-exact", ["design", "tests/cli/designs/exact.design.json", "--format", "json", "--certificate", "/dev/stdout"], 0, None),
    ("design-conflict", ["design", "tests/cli/designs/conflict.design.json", "--certificate", "/dev/stdout"], 2, None),
    ("design-conflicting-losses", ["design", "tests/cli/designs/conflicting-losses.design.json", "--certificate", "/dev/stdout"], 2, None),
    ("design-guesses", ["design", "tests/cli/designs/guesses.design.json", "--certificate", "/dev/stdout"], 0, None),
    ("design-subsets", ["design", "specs/designs/subset-selection.design.json"], 0, None),
    ("design-subsets-spec", ["design", "specs/designs/subset-selection.design.json", "--format", "json", "--certificate", "/dev/stdout"], 0, None),
    ("design-told", ["design", "tests/cli/designs/told-fine.design.json"], 0, None),
    ("design-use", ["design", "tests/cli/designs/use.design.json", "--format", "json", "--certificate", "/dev/stdout"], 0, None),
    ("design-estimate-many", ["design", "tests/cli/designs/estimate-many.design.json"], 3, None),
    *((f"design-product-{name}", ["design", f"tests/cli/designs/product-{name}.design.json"], 0, None) for name in ("unlimited", "few-decisions", "open")),
    ("design-by-attribute", ["design", "specs/designs/titanic-by-attribute.design.json"], 0, None),
    ("design-by-attribute-spec", ["design", "specs/designs/titanic-by-attribute.design.json", "--format", "json"], 0, None),
    ("design-one-level", ["design", "specs/designs/titanic-one-level.design.json"], 0, None),
    ("design-one-level-certificate", ["design", "specs/designs/titanic-one-level.design.json", "--format", "json", "--certificate", "/dev/stdout"], 0, None),
    ("design-weak-links", ["design", "specs/designs/titanic-weak-links.design.json"], 0, None),
    ("design-product-stopped", ["design", "specs/designs/titanic-weak-links.design.json", "--max-seconds", "0.05"], 3, None),
    ("design-limit", ["design", "tests/cli/designs/fine.design.json", "--max-cells", "10"], 3, None),
    ("design-overwrites", ["design", "tests/cli/designs/fine.design.json", "--certificate", "tests/cli/designs/fine.design.json"], 2, None),
    ("design-one-file", ["design", "tests/cli/designs/fine.design.json", "--format", "json", "-o", "no-such-file.json", "--certificate", "no-such-file.json"], 2, None),
    ("design-no-folder", ["design", "tests/cli/designs/fine.design.json", "--certificate", "no/such/folder.json"], 2, None),
    ("repair", ["repair", "tests/cli/designs/solved-in-floats.json", "--rounded-rows"], 0, None),
    ("repair-mixture", ["repair", "tests/cli/designs/solved-in-floats.json", "--rounded-rows", "--by", "mixture"], 0, None),
    ("repair-commas", ["repair", "tests/cli/designs/commas-repair.json", "--format", "json"], 0, None),
    ("repair-spec", ["repair", "tests/cli/designs/solved-in-floats.json", "--rounded-rows", "--by", "entries", "--format", "json"], 0, None),
    ("repair-not-rounded", ["repair", "tests/cli/designs/solved-in-floats.json"], 2, None),
    ("repair-nothing", ["repair", f"{GALLERY}/warner.json"], 0, None),
    ("repair-no-claims", ["repair", "tests/cli/specs/no-claims.json"], 2, None),
    ("repair-symbols", ["repair", "specs/parametric/composition-2.json"], 2, None),
    ("repair-no-matrix", ["repair", f"{GALLERY}/titanic.json", "--rounded-rows"], 2, None),
    ("repair-no-rounding", ["repair", "tests/cli/broken/row-sum.json", "--rounded-rows"], 2, None),
    ("repair-by-what", ["repair", f"{GALLERY}/warner.json", "--by", "magic"], 2, None),
    ("repair-cells", ["repair", "tests/cli/designs/solved-in-floats.json", "--rounded-rows", "--max-cells", "3"], 2, None),
    ("design-decimals", ["design", "tests/cli/designs/decimals.design.json", "--format", "json"], 0, None),
    ("repair-irrational", ["repair", "tests/cli/designs/irrational-repair.json", "--format", "json"], 0, None),
    ("repair-decimals", ["repair", "tests/cli/designs/decimals-repair.json", "--format", "json"], 0, None),
    ("design-missing", ["design", "no-such.design.json"], 2, None),
    *((f"design-bad-{name}", ["design", f"tests/cli/designs/{name}.design.json"], 2, None) for name in BAD_DESIGNS),
    ("analyze-titanic", ["analyze", f"{GALLERY}/titanic.json"], 0, None),
    ("analyze-explain", ["analyze", "--explain", f"{GALLERY}/titanic.json"], 0, None),
    ("analyze-explain-json", ["analyze", "--explain", "--format", "json", f"{GALLERY}/berkeley.json"], 0, None),
    ("analyze-explain-limit", ["analyze", "--explain", "--max-cells", "100", f"{GALLERY}/titanic.json"], 3, None),
    ("analyze-public", ["analyze", f"{GALLERY}/titanic-class-known.json"], 0, None),
    ("analyze-example-2-twice", ["analyze", f"{GALLERY}/bcdp-example-2-twice.json"], 0, None),
    ("analyze-kept-answer", ["analyze", "tests/cli/specs/rappor-repeated.json"], 0, None),
    ("verify-kept-answer-json", ["verify", "--format", "json", "tests/cli/specs/rappor-repeated.json"], 0, None),
    ("verify-adaptive-survey", ["verify", "tests/cli/specs/follow-up.json"], 0, None),
    ("sample-adaptive-survey", ["sample", "tests/cli/specs/follow-up.json", "--from-prior", "4", "--seed", "1"], 0, None),
    ("analyze-composed-json", ["analyze", "--format", "json", f"{GALLERY}/bcdp-example-2-twice.json"], 0, None),
    ("analyze-no-prior", ["analyze", f"{GALLERY}/warner.json"], 0, None),
    ("analyze-open-values", ["analyze", "tests/cli/specs/open-values.json"], 0, None),
    ("analyze-missing-values", ["analyze", "tests/cli/specs/missing-values.json"], 0, None),
    ("verify-missing-text", ["verify", "tests/cli/specs/open-values.json", "tests/cli/specs/missing-as.json"], 0, None),
    ("verify-missing-json", ["verify", "--format", "json", "tests/cli/specs/open-values.json", "tests/cli/specs/missing-as.json"], 0, None),
    ("verify-missing-markdown", ["verify", "--format", "markdown", "tests/cli/specs/open-values.json"], 0, None),
    ("analyze-json", ["analyze", "--format", "json", f"{GALLERY}/half-copied.json"], 0, None),
    ("analyze-tradeoff", ["analyze", "--format", "json", "--tradeoff", f"{GALLERY}/parity-secret.json"], 0, None),
    ("verify-specs-folder", ["verify", "specs"], 0, None),
    ("verify-tradeoff-secret", ["verify", "--format", "json", "--tradeoff", f"{GALLERY}/parity-secret.json"], 0, None),
    ("verify-gallery", ["verify", GALLERY], 0, None),
    ("verify-json", ["verify", "--format", "json", f"{GALLERY}/mangat.json", f"{GALLERY}/warner.json"], 0, None),
    ("verify-color", ["verify", "--color", "always", "tests/cli/specs/failing.json"], 1, None),
    ("verify-failing", ["verify", "tests/cli/specs/failing.json"], 1, None),
    ("verify-failing-json", ["verify", "--format", "json", "tests/cli/specs/failing.json"], 1, None),
    ("verify-undecided", ["verify", "--max-cells", "100", "tests/cli/specs/large.json"], 3, None),
    ("verify-undecided-json", ["verify", "--max-cells", "100", "--format", "json", "tests/cli/specs/large.json"], 3, None),
    ("verify-error-first", ["verify", "tests/cli/broken/row-sum.json", "tests/cli/specs/failing.json", "tests/cli/specs/large.json"], 2, None),
    ("verify-error-json", ["verify", "--format", "json", "tests/cli/broken/row-sum.json", f"{GALLERY}/warner.json"], 2, None),
    ("certificate", ["analyze", "--certificate", "/dev/stdout", f"{GALLERY}/shared-cause.json"], 0, None),
    ("certificate-network", ["analyze", "--certificate", "/dev/null", "--max-inputs", "8", "tests/cli/specs/chain.json"], 0, None),
    ("certificate-none", ["analyze", "--certificate", "/dev/null", f"{GALLERY}/warner.json"], 3, None),
    ("certificate-two-specs", ["analyze", "--certificate", "/dev/null", f"{GALLERY}/warner.json", f"{GALLERY}/mangat.json"], 2, None),
    ("certificate-no-directory", ["analyze", "--certificate", "no-such-directory/c.json", f"{GALLERY}/warner.json"], 2, None),
    ("certificate-directory", ["analyze", "--certificate", "tests", f"{GALLERY}/warner.json"], 2, None),
    ("certificate-overwrites", ["analyze", "--certificate", f"{GALLERY}/warner.json", f"{GALLERY}/warner.json"], 2, None),
    ("certificate-output", ["analyze", "--certificate", "tests/x.json", "--format", "json", "--output", "tests/../tests/x.json", f"{GALLERY}/warner.json"], 2, None),
    ("certificate-full", ["analyze", "--certificate", "/dev/full", f"{GALLERY}/shared-cause.json"], 2, None),
    ("certificate-bad-spec", ["analyze", "--certificate", "/dev/stdout", "tests/cli/broken/row-sum.json"], 2, None),
    ("analyze-structure", ["analyze", "tests/cli/specs/wide.json"], 0, None),
    ("hostile-names", ["analyze", "tests/cli/specs/hostile-names.json"], 0, None),
    ("standard-input", ["verify", "-"], 0, f"{GALLERY}/warner.json"),
    ("standard-input-error", ["verify", "-"], 2, "tests/cli/broken/row-sum.json"),
    ("max-inputs", ["verify", "--max-inputs", "3", f"{GALLERY}/berkeley.json"], 2, None),
    ("help", ["--help"], 0, None),
    ("help-verify", ["verify", "--help"], 0, None),
    ("version", ["--version"], 0, None),
    ("no-command", [], 2, None),
    ("unknown-command", ["verfy", GALLERY], 2, None),
    ("unknown-option", ["verify", "--fromat", "json", GALLERY], 2, None),
    ("bad-format", ["verify", "--format", "xml", GALLERY], 2, None),
    ("bad-jobs", ["verify", "--jobs", "0", GALLERY], 2, None),
    ("no-paths", ["verify"], 2, None),
    ("missing-file", ["verify", "no-such-file.json"], 2, None),
    ("mechanisms", ["mechanisms"], 0, None),
    ("mechanisms-json", ["mechanisms", "--format", "json", "unary_encoding"], 0, None),
    ("mechanisms-unknown", ["mechanisms", "hadamard"], 2, None),
    ("sample-seeded", ["sample", f"{GALLERY}/bcdp-mean.json", "--input", "1,-1,1", "-n", "5", "--seed", "1"], 0, None),
    ("sample-json-input", ["sample", f"{GALLERY}/half-copied.json", "--input", '["0", "1"]', "--seed", "2", "--format", "json"], 0, None),
    ("sample-table", ["sample", f"{GALLERY}/half-copied.json", "--inputs", "tests/cli/data/inputs.csv", "-n", "3", "--seed", "3"], 0, None),
    ("sample-tally", ["sample", f"{GALLERY}/hadamard-response.json", "--from-prior", "10000", "--seed", "4", "--tally"], 0, None),
    ("sample-vectors", ["sample", f"{GALLERY}/bcdp-mean-l2.json", "--input", "0,1", "-n", "2", "--seed", "5"], 0, None),
    ("sample-no-input", ["sample", f"{GALLERY}/warner.json"], 2, None),
    ("sample-bad-value", ["sample", f"{GALLERY}/warner.json", "--input", "yess"], 2, None),
    ("sample-bad-count", ["sample", f"{GALLERY}/bcdp-mean.json", "--input", "0"], 2, None),
    ("sample-bad-json", ["sample", f"{GALLERY}/half-copied.json", "--input", '["0", 1]'], 2, None),
    ("sample-bad-row", ["sample", f"{GALLERY}/half-copied.json", "--inputs", "tests/cli/data/bad-inputs.csv"], 2, None),
    ("sample-without-unread", ["sample", f"{GALLERY}/titanic.json", "--input", "crew,male,adult", "--input", '["1st", "female", "child"]', "-n", "2", "--seed", "3"], 0, None),
    ("sample-with-unread", ["sample", f"{GALLERY}/titanic.json", "--input", "crew,male,adult,yes", "--input", '["1st", "female", "child", "no"]', "-n", "2", "--seed", "3"], 0, None),
    ("sample-without-read", ["sample", f"{GALLERY}/titanic.json", "--input", "crew,male"], 2, None),
    ("sample-without-read-json", ["sample", f"{GALLERY}/titanic.json", "--input", '["crew"]'], 2, None),
    ("sample-bad-unread", ["sample", f"{GALLERY}/titanic.json", "--input", "crew,male,adult,maybe"], 2, None),
    ("sample-table-without-unread", ["sample", f"{GALLERY}/titanic.json", "--inputs", "-", "--seed", "3"], 0, "tests/cli/data/passengers.csv"),
    ("sample-table-without-read", ["sample", f"{GALLERY}/bcdp-mean.json", "--inputs", "tests/cli/data/passengers.csv"], 2, None),
    ("sample-table-bad-unread", ["sample", f"{GALLERY}/titanic.json", "--inputs", "tests/cli/data/passengers-bad-unread.csv"], 2, None),
    ("sample-no-column", ["sample", f"{GALLERY}/half-copied.json", "--inputs", "tests/cli/data/no-column.csv"], 2, None),
    ("sample-no-prior", ["sample", "tests/cli/specs/continuous-claim.json", "--from-prior", "10"], 2, None),
    ("sample-bad-spec", ["sample", "tests/cli/broken/row-sum.json", "--input", "a"], 2, None),
    ("estimate", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/answers.csv"], 0, None),
    ("estimate-json", ["estimate", "--format", "json", "tests/cli/specs/answers.json", "tests/cli/data/answers.csv"], 0, None),
    ("estimate-least-squares", ["estimate", "tests/cli/specs/failing.json", "tests/cli/data/failing-answers.csv"], 0, None),
    ("estimate-plan", ["estimate", "tests/cli/specs/answers.json", "--samples", "1000"], 0, None),
    ("estimate-plan-json", ["estimate", "tests/cli/specs/answers.json", "--samples", "1000", "--format", "json"], 0, None),
    ("estimate-from-nothing", ["estimate", "tests/cli/specs/answers.json"], 2, None),
    ("estimate-plan-continuous", ["estimate", f"{GALLERY}/duchi-l2-ball.json", "--samples", "10"], 2, None),
    ("estimate-what-is-released", ["estimate", f"{GALLERY}/half-copied.json", "tests/cli/data/bits.csv"], 0, None),
    ("estimate-impossible", ["estimate", "tests/cli/specs/silent.json", "tests/cli/data/votes.csv"], 2, None),
    ("estimate-titanic", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv"], 0, None),
    ("estimate-marginals", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv", "--marginals", "sex", "--marginals", '["age", "class"]'], 0, None),
    ("estimate-marginals-json", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv", "--marginals", "sex,age", "--format", "json"], 0, None),
    ("estimate-plan-marginals", ["estimate", f"{GALLERY}/titanic.json", "--samples", "1000", "--marginals", "class"], 0, None),
    ("estimate-not-collected", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv", "--marginals", "sex,survived"], 2, None),
    ("estimate-unknown-coordinate", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv", "--marginals", "sx"], 2, None),
    ("estimate-coordinate-twice", ["estimate", f"{GALLERY}/titanic.json", "tests/cli/data/titanic-answers.csv", "--marginals", "sex,sex"], 2, None),
    ("estimate-unknown-output", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/unknown-output.csv"], 2, None),
    ("estimate-no-column", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/no-output-column.csv"], 2, None),
    ("estimate-negative-count", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/negative-count.csv"], 2, None),
    ("estimate-huge-counts", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/huge-counts.csv"], 2, None),
    ("estimate-short-row", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/short-row.csv"], 2, None),
    ("estimate-nothing", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/no-outputs.csv"], 2, None),
    ("estimate-empty", ["estimate", "tests/cli/specs/answers.json", "tests/cli/data/empty.csv"], 2, None),
    ("estimate-missing", ["estimate", "tests/cli/specs/answers.json", "no-such-file.csv"], 2, None),
    ("estimate-bad-vectors", ["estimate", f"{GALLERY}/duchi-l2-ball.json", "tests/cli/data/bad-vectors.csv"], 2, None),
    ("estimate-regression", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l", "--radius", "1"], 0, None),
    ("estimate-regression-few", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies-few.csv", "--least-squares", "l", "--radius", "1"], 0, None),
    ("estimate-regression-json", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l", "--radius", "2", "--format", "json"], 0, None),
    ("estimate-regression-vectors", ["estimate", "tests/cli/specs/two-copies-l2.json", "tests/cli/data/two-copies-vectors.csv", "--least-squares", "l", "--radius", "1"], 0, None),
    ("estimate-vectors-of-copies", ["estimate", "tests/cli/specs/two-copies-l2.json", "tests/cli/data/two-copies-vectors.csv"], 0, None),
    ("sample-copies", ["sample", "tests/cli/specs/two-copies-l2.json", "--input", "1,1/2", "--count", "2", "--seed", "1"], 0, None),
    ("estimate-regression-other-columns", ["estimate", "tests/cli/specs/two-copies-l2.json", "tests/cli/data/one-copy-vectors.csv", "--least-squares", "l", "--radius", "1"], 2, None),
    ("estimate-regression-no-radius", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l"], 2, None),
    ("estimate-radius-of-nothing", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--radius", "1"], 2, None),
    ("estimate-regression-radius", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l", "--radius", "0"], 2, None),
    ("estimate-regression-infinite", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l", "--radius", "inf"], 2, None),
    ("estimate-regression-label", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "z3", "--radius", "1"], 2, None),
    ("estimate-regression-no-label", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "", "--radius", "1"], 2, None),
    ("estimate-regression-and-marginals", ["estimate", f"{GALLERY}/two-copies.json", "tests/cli/data/two-copies.csv", "--least-squares", "l", "--radius", "1", "--marginals", "l"], 2, None),
    ("estimate-regression-one-copy", ["estimate", f"{GALLERY}/bcdp-mean.json", "tests/cli/data/two-copies.csv", "--least-squares", "c", "--radius", "1"], 2, None),
    ("audit", ["audit", "--exhaustive", f"{GALLERY}/hadamard-response.json", f"{GALLERY}/discrete-laplace-truncated.json"], 0, None),
    ("audit-json", ["audit", "--exhaustive", "--intervals", "--format", "json", "tests/cli/specs/answers.json"], 0, None),
    ("audit-continuous", ["audit", "--exhaustive", f"{GALLERY}/duchi-l2-ball.json"], 3, None),
    ("audit-limit", ["audit", "--exhaustive", "--max-cells", "10", f"{GALLERY}/hadamard-response.json"], 3, None),
    ("audit-parts", ["audit", "--exhaustive", "tests/cli/specs/wide.json"], 3, None),
    ("audit-large-choices", ["audit", "--exhaustive", "tests/cli/specs/large-choices.json"], 0, None),
    ("audit-exceptions", ["audit", "--exhaustive", "--smt-seconds", "0.0001", "tests/cli/specs/large-choices.json"], 3, None),
    ("audit-exceptions-accepted", ["audit", "--exhaustive", "--smt-seconds", "0.0001", "--accept-exceptions", "tests/cli/specs/large-choices.json"], 0, None),
    ("audit-exceptions-json", ["audit", "--exhaustive", "--smt-seconds", "0.0001", "--format", "json", "tests/cli/specs/large-choices.json"], 3, None),
    *((f"audit-exceptions-{format}", ["audit", "--exhaustive", "--smt-seconds", "0.0001", "--format", format, "tests/cli/specs/large-choices.json"], 3, None)
      for format in ("markdown", "sarif", "junit", "github")),
    ("audit-runs", ["audit", "--seed", "1", "-n", "200000", f"{GALLERY}/warner.json", f"{GALLERY}/half-copied.json", f"{GALLERY}/duchi-l2-ball.json"], 0, None),
    ("audit-runs-json", ["audit", "--seed", "1", "-n", "20000", "--format", "json", f"{GALLERY}/half-copied.json"], 0, None),
    ("audit-all-levels", ["audit", "--seed", "1", "-n", "200000", "--all-levels", f"{GALLERY}/high-low.json"], 0, None),
    ("audit-until", ["audit", "--seed", "1", "--until", "-n", "20000", "tests/cli/specs/coin.json"], 0, None),
    ("verify-square-roots", ["verify", "tests/cli/specs/square-roots.json"], 0, None),
    ("verify-square-roots-json", ["verify", "--format", "json", "tests/cli/specs/square-roots.json"], 0, None),
    ("verify-square-roots-both", ["verify", "--engine", "both", "tests/cli/specs/square-roots.json"], 3, None),
    ("verify-zcdp", ["verify", "tests/cli/specs/zcdp.json"], 3, None),
    ("verify-zcdp-json", ["verify", "--format", "json", "tests/cli/specs/zcdp.json"], 3, None),
    ("verify-zcdp-both", ["verify", "--engine", "both", "specs/claims-of-the-papers/partial-zcdp-selection.json"], 3, None),
    ("verify-sets-of-priors", ["verify", "specs/sets-of-priors"], 0, None),
    ("verify-five-attributes", ["verify", "tests/cli/specs/five-attributes.json"], 0, None),
    ("verify-sets-json", ["verify", "--format", "json", "specs/sets-of-priors/two-groups.json"], 0, None),
    ("verify-sets-both", ["verify", "--engine", "both", "specs/sets-of-priors/two-groups.json"], 3, None),
    ("verify-network-order", ["verify", "tests/cli/specs/network-order.json"], 0, None),
    ("verify-sets-underflow", ["verify", "tests/cli/specs/entries-that-underflow.json"], 1, None),
    ("verify-sets-limit", ["verify", "--max-cells", "100", "specs/sets-of-priors/titanic-public-tables.json"], 3, None),
    ("verify-sets-of-secret", ["verify", "tests/cli/specs/tables-and-secret.json"], 3, None),
    ("analyze-for-all", ["analyze", "--for-all", "*", "--tolerance", "tests/cli/specs/tolerance.json"], 0, None),
    ("analyze-for-all-json", ["analyze", "--for-all", "near", "--for-all", "learned", "--tolerance", "--format", "json", "tests/cli/specs/tolerance.json"], 0, None),
    ("analyze-for-all-markdown", ["analyze", "--for-all", "learned", "--tolerance", "--format", "markdown", "tests/cli/specs/tolerance.json"], 0, None),
    ("analyze-for-all-unknown", ["analyze", "--for-all", "neer", "tests/cli/specs/tolerance.json", f"{GALLERY}/warner.json"], 2, None),
    ("analyze-for-all-limit", ["analyze", "--for-all", "one-way", "--tolerance", "--max-cells", "100", "specs/sets-of-priors/titanic-public-tables.json"], 3, None),
    ("verify-certificates", ["verify", "--certificates", "/tmp/oddsbound-test-certificates", "specs/gallery/warner.json"], 0, None),
    ("verify-certificates-sample", ["verify", "--certificates", "/tmp/oddsbound-test-certificates", "specs/sets-of-priors/berkeley-sample.json"], 0, None),
    ("verify-certificates-tight", ["verify", "--certificates", "/tmp/oddsbound-test-certificates", "specs/sets-of-priors/two-groups.json", "tests/cli/specs/coin.json"], 0, None),
    ("verify-certificates-limit", ["verify", "--max-cells", "7", "--certificates", "/tmp/oddsbound-test-certificates", "specs/sets-of-priors/two-groups.json"], 3, None),
    ("verify-certificates-of-nothing", ["verify", "--certificates", "/nowhere/at/all", "specs/gallery/duchi-l2-ball.json"], 0, None),
    ("verify-certificates-nowhere", ["verify", "--certificates", "/dev/null/folder", "specs/sets-of-priors/berkeley-sample.json"], 2, None),
    ("verify-certificates-unnamed", ["verify", "--certificates", "", "specs/sets-of-priors/berkeley-sample.json"], 2, None),
    ("lock-unnamed", ["lock", "write", "--lock", "", "specs/gallery/warner.json"], 2, None),
    ("verify-certificates-twice", ["verify", "--certificates", "/tmp/oddsbound-test-certificates", "--format", "markdown", "specs/gallery/warner.json", "specs/gallery/warner.json"], 0, None),
    ("verify-write-no-witness", ["verify", "--write-witness", "/nowhere/at/all", "tests/cli/specs/coin.json"], 0, None),
    ("audit-sets", ["audit", "--seed", "1", "-n", "2000", "specs/sets-of-priors/either-question.json"], 2, None),
    ("audit-square-roots", ["audit", "--seed", "1", "-n", "2000", "tests/cli/specs/square-roots.json"], 0, None),
    ("new-square-root", ["new", "specs/gallery/data/titanic.csv", "--hide", "survived", "--epsilon", "log(sqrt(3))"], 2, None),
    ("audit-left-out", ["audit", "--seed", "1", "-n", "2000", "tests/cli/specs/coin-left-out.json"], 0, None),
    ("audit-until-left-out", ["audit", "--seed", "1", "--until", "-n", "1000", "tests/cli/specs/coin-left-out.json"], 0, None),
    ("audit-infinite", ["audit", "--seed", "1", "-n", "400", f"{GALLERY}/rappor.json"], 0, None),
    ("audit-until-json", ["audit", "--seed", "1", "--until", "-n", "1000", "--format", "json", "tests/cli/specs/coin.json"], 0, None),
    ("audit-until-continuous", ["audit", "--seed", "1", "--until", "audits/specs/ball.json"], 2, None),
    ("audit-until-nothing", ["audit", "--seed", "1", "--until", "tests/cli/specs/wide.json"], 2, None),
    ("audit-plan-runs", ["audit", "--plan-runs", "0.1", f"{GALLERY}/half-copied.json", f"{GALLERY}/warner.json"], 0, None),
    ("audit-plan-runs-few", ["audit", "--plan-runs", "1e-8", "tests/cli/specs/coin-left-out.json"], 3, None),
    ("audit-plan-runs-broken", ["audit", "--plan-runs", "0.1", DAYS, "specs/parametric/warner.json", "tests/cli/specs/coin.json"], 2, None),
    ("audit-plan-runs-until", ["audit", "--plan-runs", "0.1", "--until", "tests/cli/specs/coin.json"], 2, None),
    ("audit-plan-runs-html", ["audit", "--plan-runs", "0.1", "--format", "html", "tests/cli/specs/coin.json"], 2, None),
    ("audit-plan-runs-margin", ["audit", "--plan-runs", "0", "tests/cli/specs/coin.json"], 2, None),
    ("audit-choice", ["audit", "--seed", "1", "-n", "20000", DAYS], 3, None),
    ("audit-choice-json", ["audit", "--seed", "1", "-n", "20000", "--accept-choice", "--format", "json", DAYS], 0, None),
    ("audit-choice-leaks", ["audit", "--seed", "1", "-n", "1500", "--program", "python3 tests/cli/programs/days.py leaks", DAYS], 1, None),
    ("audit-choice-until", ["audit", "--seed", "1", "--until", DAYS], 2, None),
    ("audit-choice-shard", ["audit", "--seed", "1", "--shard", "1/2", DAYS], 2, None),
    ("audit-choice-transcript", ["audit", "--transcript", "tests/cli/data/transcript.csv", DAYS], 2, None),
    ("sample-many-days", ["sample", DAYS, "--input", ",".join(["yes"] * 100), "-n", "2", "--seed", "1"], 0, None),
    ("sample-from-many-days", ["sample", DAYS, "--from-prior", "2", "--seed", "1"], 0, None),
    ("sample-too-few-days", ["sample", DAYS, "--input", "yes,no"], 2, None),
    ("estimate-many-days", ["estimate", DAYS, "--samples", "1000", "--marginals", "day1,day50"], 0, None),
    ("audit-transcript", ["audit", "--transcript", "tests/cli/data/transcript.csv", f"{GALLERY}/warner.json"], 0, None),
    ("audit-transcript-leaking", ["audit", "--transcript", "tests/cli/data/transcript-leaking.csv", f"{GALLERY}/warner.json"], 1, None),
    ("audit-transcript-output", ["audit", "--transcript", "tests/cli/data/transcript-unknown-output.csv", f"{GALLERY}/warner.json"], 2, None),
    ("audit-transcript-input", ["audit", "--transcript", "tests/cli/data/transcript-unknown-input.csv", f"{GALLERY}/warner.json"], 2, None),
    ("audit-transcript-until", ["audit", "--until", "--transcript", "tests/cli/data/transcript.csv", f"{GALLERY}/warner.json"], 2, None),
    ("audit-program-dies", ["audit", "--seed", "1", "--program", "python3 tests/cli/programs/dies.py", "tests/cli/specs/coin.json"], 2, None),
    *((f"audit-program-{what}", ["audit", "--seed", "1", "--program-seconds", "2" if what == "hangs" else "60", "--program", f"python3 tests/cli/programs/misbehaves.py {what}",
                                 "tests/cli/specs/coin.json"], 2, None) for what in MISBEHAVIOUR),
    ("audit-program-independent", ["audit", "--seed", "1", "-n", "200000", "--program", "python3 examples/samplers/sampler.py", f"{GALLERY}/warner.json"], 0, None),
    ("audit-program-few", ["audit", "--seed", "1", "-n", "400", "--format", "json", "--program", "python3 examples/samplers/sampler.py", f"{GALLERY}/warner.json"], 0, None),
    ("audit-program-starts-alike", ["audit", "--seed", "1", "-n", "2000", "--program", "python3 tests/cli/programs/starts_alike.py", "tests/cli/specs/one-certain.json"], 1, None),
    ("audit-program-missing", ["audit", "--seed", "1", "--program", "no-such-program", "tests/cli/specs/coin.json"], 2, None),
    ("audit-plans-broken", ["audit", "--plan", "tests/cli/plans"], 2, None),
    ("audit-plan-unexpected", ["audit", "--plan", "tests/cli/unexpected-plan.json"], 1, None),
    ("audit-merge", ["audit", "merge", "tests/cli/data/part-1.json", "tests/cli/data/part-2.json"], 0, None),
    ("audit-merge-missing", ["audit", "merge", "tests/cli/data/part-1.json"], 2, None),
    ("audit-merge-twice", ["audit", "merge", "tests/cli/data/part-1.json", "tests/cli/data/part-1.json"], 2, None),
    ("audit-merge-truncated", ["audit", "merge", "tests/cli/data/part-truncated.json"], 2, None),
    ("audit-merge-edited", ["audit", "merge", "tests/cli/data/part-1.json", "tests/cli/data/part-edited.json"], 2, None),
    ("audit-merge-no-game", ["audit", "merge", "tests/cli/data/part-1.json", "tests/cli/data/part-no-game.json"], 2, None),
    ("audit-few-samples", ["audit", "--seed", "1", "-n", "100", f"{GALLERY}/titanic.json"], 2, None),
    ("audit-bad-confidence", ["audit", "--confidence", "99", "tests/cli/specs/coin.json"], 2, None),
    ("audit-large-delta-level", ["audit", "--seed", "1", "-n", "20000", "tests/cli/specs/delta-at-800.json"], 0, None),
    ("audit-shard-no-seed", ["audit", "--shard", "1/2", "tests/cli/specs/coin.json"], 2, None),
    ("audit-shard-bad", ["audit", "--seed", "1", "--shard", "3/2", "tests/cli/specs/coin.json"], 2, None),
    ("audit-nothing", ["audit"], 2, None),
    ("audit-two-samplers", ["audit", "--program", "true", "--transcript", "x.csv", "tests/cli/specs/coin.json"], 2, None),
    ("audit-statistical-symbols", ["audit", "specs/parametric/warner.json"], 2, None),
    ("help-audit", ["audit", "--help"], 0, None),
    ("audit-bad-spec", ["audit", "--exhaustive", "tests/cli/broken/row-sum.json"], 2, None),
    ("verify-continuous", ["verify", "tests/cli/specs/continuous-claim.json"], 3, None),
    ("analyze-continuous", ["analyze", f"{GALLERY}/duchi-l2-ball.json"], 0, None),
    ("verify-by-columns", ["verify", "--by-columns", "--format", "json", f"{GALLERY}/block-hadamard-response.json"], 0, None),
    ("verify-by-cases", ["verify", "--format", "json", f"{GALLERY}/block-hadamard-response.json"], 0, None),
    ("verify-both", ["verify", "--engine", "both", f"{GALLERY}/warner.json", f"{GALLERY}/shared-cause.json", f"{GALLERY}/parity-secret.json"], 0, None),
    ("verify-both-json", ["verify", "--engine", "both", "--format", "json", f"{GALLERY}/coin-or-value-once.json"], 0, None),
    ("verify-smt", ["verify", "--engine", "smt", f"{GALLERY}/mangat.json", f"{GALLERY}/partial-records.json"], 0, None),
    ("verify-parametric-json", ["verify", "--format", "json", "specs/parametric/k-randomized-response-one-entry-off.json"], 0, None),
    ("analyze-symbols", ["analyze", "specs/parametric/proposition-4.json"], 0, None),
    ("analyze-symbols-json", ["analyze", "--format", "json", "specs/parametric/warner.json"], 0, None),
    ("verify-symbols", ["verify", "--engine", "both", "tests/cli/specs/symbols"], 0, None),
    ("verify-tight", ["verify", "--engine", "both", "tests/cli/specs/tight.json"], 1, None),
    *((f"verify-{name}", ["verify", f"tests/cli/specs/{name}.json"], 0, None) for name in ("slack", "slack-by-coordinate", "slack-near-one", "declared-sensitivity")),
    ("verify-slack-json", ["verify", "--no-analysis", "--format", "json", "tests/cli/specs/slack.json"], 0, None),
    ("verify-slack-junit", ["verify", "--format", "junit", "tests/cli/specs/slack.json", "tests/cli/specs/slack-near-one.json"], 0, None),
    ("verify-declared-sensitivity-json", ["verify", "--format", "json", "tests/cli/specs/declared-sensitivity.json"], 0, None),
    ("verify-no-analysis", ["verify", "--no-analysis", f"{GALLERY}/warner.json"], 0, None),
    ("verify-no-analysis-json", ["verify", "--no-analysis", "--format", "json", f"{GALLERY}/warner.json"], 0, None),
    ("verify-no-analysis-figures", ["verify", "--no-analysis", "--figures", "--format", "json", f"{GALLERY}/warner.json"], 2, None),
    ("verify-no-analysis-tradeoff", ["verify", "--no-analysis", "--tradeoff", "--format", "json", f"{GALLERY}/warner.json"], 2, None),
    ("verify-timings-jobs", ["verify", "--timings", "--jobs", "2", f"{GALLERY}/warner.json"], 2, None),
    ("verify-tight-symbols", ["verify", "tests/cli/specs/tight-symbols.json"], 0, None),
    ("verify-post-processing", ["verify", "--engine", "both", f"{GALLERY}/post-processing.json"], 0, None),
    ("verify-post-processing-json", ["verify", "--format", "json", f"{GALLERY}/post-processing-hadamard.json"], 0, None),
    ("verify-smt-cells", ["verify", "--engine", "both", "--smt-max-cells", "7", f"{GALLERY}/warner.json"], 3, None),
    ("verify-smt-deadline", ["verify", "--engine", "smt", "--smt-seconds", "0.001", f"{GALLERY}/mangat.json"], 3, None),
    ("verify-bad-engine", ["verify", "--engine", "z3", GALLERY], 2, None),
    ("verify-bad-cross-check", ["verify", "--cross-check", "yices", GALLERY], 2, None),
    ("verify-emit-nothing", ["verify", "--emit-smt2", "/tmp/oddsbound-no-queries", f"{GALLERY}/warner.json"], 0, None),
    ("estimate-without-prior", ["estimate", f"{GALLERY}/warner.json", "--samples", "1000"], 0, None),
    ("estimate-without-prior-json", ["estimate", f"{GALLERY}/warner.json", "--samples", "1000", "--format", "json"], 0, None),
    ("verify-emit-nowhere", ["verify", "--engine", "smt", "--emit-smt2", "/dev/null/queries", f"{GALLERY}/warner.json"], 2, None),
    ("sample-symbols", ["sample", "specs/parametric/warner.json", "--input", "yes"], 2, None),
    ("estimate-symbols", ["estimate", "specs/parametric/warner.json", "tests/cli/data/answers.csv"], 2, None),
    ("audit-symbols", ["audit", "--exhaustive", "specs/parametric/warner.json"], 2, None),
    ("tune-symbol", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--smallest", "--claim", "odds of 3"], 0, None),
    ("tune-symbol-json", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--smallest", "--claim", "1", "--grid", "0,1/4,1/2", "--no-proof", "--width", "1/10", "--format", "json"], 0, None),
    ("tune-table", ["tune", f"{GALLERY}/titanic.json", "--parameter", "/mechanism/mechanisms/sex/epsilon", "--from", "0", "--to", "2", "--grid", "4", "--claim", "2", "--no-proof"], 0, None),
    ("tune-runs", ["tune", f"{GALLERY}/bcdp-example-2-twice.json", "--parameter", "/mechanism/times", "--integers", "--from", "1", "--to", "8", "--grid", "2", "--claim", "0"], 0, None),
    ("tune-nowhere", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--to", "1/8", "--claim", "odds of 3"], 1, None),
    ("tune-limit", ["tune", "--max-cells", "100", "tests/cli/specs/large.json", "--parameter", "/claims/0/epsilon", "--from", "0", "--to", "1", "--grid", "1"], 3, None),
    ("tune-no-parameter", ["tune", "tests/cli/specs/flip.json"], 2, None),
    ("tune-unknown-parameter", ["tune", "tests/cli/specs/flip.json", "--parameter", "P"], 2, None),
    ("tune-nothing-there", ["tune", f"{GALLERY}/titanic.json", "--parameter", "/mechanism/mechanism/sex/epsilon", "--from", "0", "--to", "1"], 2, None),
    ("tune-no-number", ["tune", f"{GALLERY}/titanic.json", "--parameter", "/mechanism/mechanisms", "--from", "0", "--to", "1"], 2, None),
    ("tune-no-range", ["tune", f"{GALLERY}/titanic.json", "--parameter", "/mechanism/mechanisms/sex/epsilon"], 2, None),
    ("tune-outside", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--to", "3/4"], 2, None),
    ("tune-no-spec-there", ["tune", f"{GALLERY}/titanic.json", "--parameter", "/mechanism/mechanisms/sex/epsilon", "--from", "-1", "--to", "1"], 2, None),
    ("tune-unknown-claim", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--claim", "odds of 4"], 2, None),
    ("tune-bad-number", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--from", "0,1"], 2, None),
    ("tune-bad-grid", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--grid", "0"], 2, None),
    ("tune-bad-values", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--grid", "1/8,x"], 2, None),
    ("tune-bad-width", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--width", "-1"], 2, None),
    ("tune-continuous", ["tune", f"{GALLERY}/duchi-l2-ball.json", "--parameter", "/mechanism/epsilon", "--from", "1", "--to", "2"], 2, None),
    ("tune-bad-spec", ["tune", "tests/cli/broken/row-sum.json", "--parameter", "/mechanism/rows/0/0", "--from", "0", "--to", "1"], 2, None),
    ("tune-overwrites", ["tune", "tests/cli/specs/flip.json", "--parameter", "p", "--output", "tests/cli/specs/flip.json"], 2, None),
    ("compare", ["compare", f"{GALLERY}/titanic.json", f"{GALLERY}/titanic-half.json"], 0, None),
    ("compare-dominated", ["compare", f"{GALLERY}/bcdp-example-2-once.json", f"{GALLERY}/bcdp-example-2-twice.json"], 0, None),
    ("compare-priors", ["compare", "tests/cli/specs/priors"], 0, None),
    ("compare-same", ["compare", "--samples", "1", f"{GALLERY}/warner.json", f"{GALLERY}/warner.json"], 0, None),
    ("compare-json", ["compare", "--format", "json", f"{GALLERY}/warner.json", f"{GALLERY}/mangat.json"], 0, None),
    ("compare-different", ["compare", f"{GALLERY}/warner.json", f"{GALLERY}/duchi-l2-ball.json", f"{GALLERY}/titanic-class-known.json", "tests/cli/broken/row-sum.json"], 2, None),
    ("compare-limit", ["compare", "--max-cells", "10", f"{GALLERY}/warner.json", f"{GALLERY}/titanic.json"], 3, None),
    ("compare-one", ["compare", f"{GALLERY}/warner.json"], 2, None),
    ("compare-symbols", ["compare", f"{GALLERY}/warner.json", "tests/cli/specs/flip.json"], 2, None),
    ("compare-no-such-file", ["compare", f"{GALLERY}/warner.json", "no-such-file.json"], 2, None),
    ("compare-overwrites", ["compare", f"{GALLERY}/warner.json", f"{GALLERY}/mangat.json", "--output", f"{GALLERY}/warner.json"], 2, None),
    ("help-compare", ["compare", "--help"], 0, None),
    ("help-tune", ["tune", "--help"], 0, None),
    ("release", ["release", "specs/releases/survey.release.json", "specs/releases/data/people.csv", "--seed", "7"], 0, None),
    ("release-hitters", ["release", "specs/releases/frequent.release.json", "specs/releases/data/people.csv", "--seed", "7"], 0, None),
    ("release-fitted", ["release", "specs/releases/fitted.release.json", "specs/releases/data/people.csv", "--seed", "7"], 0, None),
    ("release-learned", ["release", "specs/releases/learned.release.json", "specs/releases/data/people.csv", "--seed", "7"], 0, None),
    ("release-consistent", ["release", "specs/releases/consistent.release.json", "specs/releases/data/people.csv", "--seed", "7"], 0, None),
    ("release-declared-both", ["release", f"{RELEASES}/declared-both.release.json", "--account"], 0, None),
    ("release-hitters-json", ["release", "specs/releases/frequent.release.json", "specs/releases/data/people.csv", "--seed", "7", "--format", "json"], 0, None),
    ("release-hitters-lists", ["release", "specs/releases/hitters-near.release.json", "tests/cli/releases/four.csv", "--seed", "7"], 0, None),
    ("release-hitters-limit", ["release", f"{RELEASES}/hitters-limit.release.json", f"{RELEASES}/people.csv"], 3, None),
    ("release-json", ["release", "specs/releases/survey.release.json", "specs/releases/data/people.csv", "--seed", "7", "--format", "json"], 0, None),
    ("release-csv", ["release", "specs/releases/survey.release.json", "specs/releases/data/people.csv", "--seed", "7", "--format", "csv"], 0, None),
    ("release-hostile-csv", ["release", f"{RELEASES}/hostile.release.json", f"{RELEASES}/hostile.csv", "--seed", "7", "--format", "csv"], 0, None),
    ("release-hostile-html", ["release", f"{RELEASES}/hostile.release.json", f"{RELEASES}/hostile.csv", "--seed", "7", "--format", "html", "--static"], 0, None),
    ("release-lists-csv", ["release", "specs/releases/hitters-near.release.json", "tests/cli/releases/four.csv", "--seed", "7", "--format", "csv"], 0, None),
    ("release-account-csv", ["release", f"{RELEASES}/fine.release.json", "--account", "--format", "csv"], 2, None),
    ("release-exceeded-csv", ["release", f"{RELEASES}/exceeded.release.json", "no-such-table.csv", "--format", "csv"], 1, None),
    ("report-of-a-release", ["report", "--static", "tests/cli/golden/release-hitters-json.out"], 0, None),
    ("report-of-a-release-sarif", ["report", "tests/cli/golden/release-json.out", "--format", "sarif"], 2, None),
    ("report-of-a-release-and-more", ["report", "tests/cli/data/results.json", "tests/cli/golden/release-json.out", "--format", "github"], 2, None),
    ("release-gaussian", ["release", "specs/releases/gaussian-bits.release.json", f"{RELEASES}/people.csv", "--seed", "1"], 0, None),
    ("release-census", ["release", "specs/releases/census-2020-persons.release.json", "--account"], 0, None),
    ("release-spec", ["release", "specs/releases/survey.release.json", "--spec", "--records", "2", "--window", "0"], 0, None),
    ("release-spec-gaussian", ["release", "specs/releases/gaussian-bits.release.json", "--spec", "--records", "1"], 0, None),
    ("release-spec-tables", ["release", f"{TABLES}/counts-gaussian.release.json", "--spec", "--tables", f"{TABLES}/people.csv", f"{TABLES}/one-more-is-ill.csv"], 0, None),
    ("release-spec-tables-pure", ["release", f"{TABLES}/heavy-hitters.release.json", "--spec", "--tables", f"{TABLES}/people.csv", f"{TABLES}/one-more-is-ill.csv"], 0, None),
    *((f"release-spec-tables-{name}", ["release", f"{BROKEN}/{release}.release.json", "--spec", "--tables", f"{BROKEN}/pair-a.csv", f"{BROKEN}/{table}.csv"], 2, None)
      for name, release, table in [("far", "pair", "pair-far"), ("same", "pair", "pair-a"), ("other-rows", "pair", "pair-three"), ("unknown", "pair", "pair-unknown"), ("missing", "pair", "none"), ("declared", "pair-declared", "pair-b")]),
    ("release-spec-tables-and-records", ["release", f"{BROKEN}/pair.release.json", "--spec", "--records", "1", "--tables", f"{BROKEN}/pair-a.csv", f"{BROKEN}/pair-b.csv"], 2, None),
    ("release-spec-tables-and-window", ["release", f"{BROKEN}/pair.release.json", "--spec", "--window", "1", "--tables", f"{BROKEN}/pair-a.csv", f"{BROKEN}/pair-b.csv"], 2, None),
    ("release-spec-tables-one", ["release", f"{BROKEN}/pair.release.json", "--spec", "--tables", f"{BROKEN}/pair-a.csv"], 2, None),
    ("release-spec-tables-overwritten", ["release", f"{BROKEN}/pair.release.json", "--spec", "--tables", f"{BROKEN}/pair-a.csv", f"{BROKEN}/pair-b.csv", "-o", f"{BROKEN}/pair-b.csv"], 2, None),
    ("release-tables-alone", ["release", f"{BROKEN}/pair.release.json", "--account", "--tables", f"{BROKEN}/pair-a.csv", f"{BROKEN}/pair-b.csv"], 2, None),
    ("tables-verify", ["verify", f"{TABLES}/counts-gaussian.json"], 3, None),
    ("tables-verify-json", ["verify", "--format", "json", f"{TABLES}/counts-laplace.json"], 3, None),
    ("tables-analyze", ["analyze", f"{TABLES}/counts-laplace.json"], 0, None),
    ("tables-sample", ["sample", f"{TABLES}/heavy-hitters.json", "--input", "people.csv", "-n", "3", "--seed", "1"], 0, None),
    ("tables-sample-tally", ["sample", f"{TABLES}/heavy-hitters.json", "--input", "people.csv", "-n", "3", "--seed", "1", "--tally"], 2, None),
    ("tables-estimate", ["estimate", f"{TABLES}/counts-laplace.json", f"{TABLES}/people.csv"], 2, None),
    ("tables-estimate-plan", ["estimate", f"{TABLES}/counts-laplace.json", "--samples", "10"], 2, None),
    ("tables-estimate-regression", ["estimate", f"{TABLES}/counts-laplace.json", f"{TABLES}/people.csv", "--least-squares", "table", "--radius", "1"], 2, None),
    ("tables-exhaustive", ["audit", "--exhaustive", f"{TABLES}/counts-laplace.json"], 3, None),
    ("tables-audit", ["audit", f"{TABLES}/counts-laplace.json", "--seed", "1", "-n", "20000"], 0, None),
    ("tables-audit-json", ["audit", f"{TABLES}/fitted.json", "--seed", "1", "-n", "20000", "--format", "json"], 0, None),
    ("tables-audit-until", ["audit", f"{TABLES}/counts-laplace.json", "--until"], 2, None),
    ("tables-audit-transcript", ["audit", f"{TABLES}/counts-laplace.json", "--transcript", f"{TABLES}/people.csv"], 2, None),
    ("tables-audit-planned", ["audit", "--plan-runs", "0.1", f"{TABLES}/counts-laplace.json"], 2, None),
    ("tables-tune", ["tune", f"{TABLES}/counts-laplace.json", "--parameter", "/claims/0/epsilon", "--from", "0", "--to", "1"], 2, None),
    ("tables-compare", ["compare", f"{TABLES}/counts-laplace.json", f"{TABLES}/heavy-hitters.json"], 0, None),
    ("tables-certificate", ["analyze", "--certificate", "/dev/null", f"{TABLES}/counts-laplace.json"], 3, None),
    ("tables-smt", ["verify", "--engine", "both", f"{TABLES}/counts-laplace.json"], 3, None),
    ("release-spent", ["release", f"{RELEASES}/fine.release.json", "--account", "--spent", f"{RELEASES}/spent.json"], 0, None),
    ("release-bad-spent", ["release", f"{RELEASES}/fine.release.json", "--account", "--spent", f"{RELEASES}/bad-spent.json"], 2, None),
    *((f"release-spent-{name}", ["release", f"{RELEASES}/fine.release.json", "--account", "--spent", f"{RELEASES}/spent-{name}.json"], 2, None)
      for name in ["truncated", "version", "a-release", "no-loss", "negative", "no-step"]),
    ("release-spent-nowhere", ["release", f"{RELEASES}/fine.release.json", f"{RELEASES}/people.csv", "--spent", "/no/such/folder/spent.json"], 2, None),
    ("release-time", ["release", "specs/releases/census-2020-persons.release.json", "--account", "--max-seconds", "1e-9"], 3, None),
    ("release-exceeded", ["release", f"{RELEASES}/exceeded.release.json", "no-such-table.csv"], 1, None),
    ("release-declared", ["release", f"{RELEASES}/declared.release.json", f"{RELEASES}/people.csv"], 2, None),
    ("release-declared-spec", ["verify", "tests/cli/releases/spec-declared.json"], 2, None),
    ("release-other-domain", ["verify", "tests/cli/releases/spec-other-domain.json"], 2, None),
    ("release-too-many", ["verify", "tests/cli/releases/spec-too-many.json"], 2, None),
    ("release-gaussian-wide", ["verify", "--max-seconds", "0.5", f"{RELEASES}/spec-gaussian-wide.json"], 2, None),
    *((f"{command}-seed-{name}", [command, *rest, "--seed", seed], 2, None)
      for command, rest in [("release", [f"{RELEASES}/fine.release.json", f"{RELEASES}/people.csv"]), ("sample", [f"{GALLERY}/warner.json", "--input", "yes"])]
      for name, seed in [("negative", "-1"), ("huge", "99999999999999999999999"), ("empty", "")]),
    ("release-no-table", ["release", f"{RELEASES}/fine.release.json"], 2, None),
    ("release-table-missing", ["release", f"{RELEASES}/fine.release.json", "no-such-table.csv"], 2, None),
    ("release-file-missing", ["release", "no-such.release.json", "--account"], 2, None),
    ("release-a-spec", ["release", f"{GALLERY}/warner.json", "--account"], 2, None),
    ("release-records-alone", ["release", f"{RELEASES}/fine.release.json", "--account", "--records", "1"], 2, None),
    ("release-spec-without-records", ["release", f"{RELEASES}/fine.release.json", "--spec"], 2, None),
    ("release-account-and-table", ["release", f"{RELEASES}/fine.release.json", f"{RELEASES}/people.csv", "--account"], 2, None),
    *((f"release-table-{name}", ["release", f"{RELEASES}/fine.release.json", f"{RELEASES}/{name}.csv"], 2, None) for name in ["bad-cell", "no-column", "header-alone"]),
    *((f"release-bad-{name}", ["release", f"{RELEASES}/{name}.release.json", "--account"], 2, None) for name in BAD_RELEASES),
    ("verify-releases", ["verify", "specs/releases"], 0, None),
    ("new", ["new", f"{DATA}/titanic.csv", "--hide", "survived", "--count", "count", "--epsilon", "log(3)"], 0, None),
    ("new-rounded-up", ["new", f"{DATA}/house-votes-84.csv", "--hide", "Class", "--columns", "V3", "V4", "V5", "--epsilon", "1/2"], 0, None),
    ("new-forgotten-count", ["new", f"{DATA}/berkeley.csv", "--epsilon", "1"], 0, None),
    ("new-missing-value", ["new", "tests/cli/data/members.csv", "--count", "n", "--epsilon", "1", "--missing", "value"], 0, None),
    ("new-missing-error", ["new", "tests/cli/data/members.csv", "--count", "n", "--epsilon", "1"], 2, None),
    ("new-blank-error", ["new", "tests/cli/data/new-blank.csv", "--epsilon", "1", "--missing", "error"], 2, None),
    ("new-blank-value", ["new", "tests/cli/data/new-blank.csv", "--epsilon", "1", "--missing", "value"], 0, None),
    ("new-blank-drop", ["new", "tests/cli/data/new-blank.csv", "--epsilon", "1", "--missing", "drop"], 0, None),
    ("new-value-of-few", ["new", "tests/cli/data/new-few.csv", "--count", "n", "--epsilon", "1"], 0, None),
    ("new-missing-unknown", ["new", "tests/cli/data/members.csv", "--epsilon", "1", "--missing", "ignore"], 2, None),
    ("new-missing-drop", ["new", "tests/cli/data/members.csv", "--count", "n", "--epsilon", "1", "--missing", "drop"], 0, None),
    ("new-no-epsilon", ["new", f"{DATA}/titanic.csv"], 2, None),
    *((f"new-epsilon-{name}", ["new", f"{DATA}/titanic.csv", "--epsilon", epsilon], 2, None)
      for name, epsilon in (("zero", "0"), ("negative", "-1"), ("inf", "inf"), ("word", "one"), ("empty", ""))),
    ("new-no-table", ["new", "no-such-table.csv", "--epsilon", "1"], 2, None),
    ("new-standard-input", ["new", "-", "--epsilon", "1"], 2, "tests/cli/data/votes.csv"),
    ("new-a-directory", ["new", "tests", "--epsilon", "1"], 2, None),
    ("new-unknown-hidden", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--hide", "name"], 2, None),
    ("new-near-hidden", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--hide", "survive"], 2, None),
    ("new-unknown-column", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--columns", "sex", "port"], 2, None),
    ("new-unknown-count", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--count", "people"], 2, None),
    ("new-count-hidden", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--count", "count", "--hide", "count"], 2, None),
    ("new-count-no-number", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--count", "sex"], 2, None),
    ("new-all-hidden", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--columns", "sex", "--hide", "sex"], 2, None),
    ("new-many-values", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "--max-values", "3"], 2, None),
    ("new-empty-table", ["new", "tests/cli/data/empty.csv", "--epsilon", "1"], 2, None),
    ("new-header-alone", ["new", "tests/cli/data/new-header-alone.csv", "--epsilon", "1"], 2, None),
    ("new-two-columns", ["new", "tests/cli/data/new-two-columns.csv", "--epsilon", "1"], 2, None),
    ("new-no-name", ["new", "tests/cli/data/new-no-name.csv", "--epsilon", "1"], 2, None),
    ("new-short-row", ["new", "tests/cli/data/new-short-row.csv", "--epsilon", "1"], 2, None),
    ("new-two-missing", ["new", "tests/cli/data/new-two-missing.csv", "--epsilon", "1", "--missing", "value"], 2, None),
    ("new-all-dropped", ["new", "tests/cli/data/new-all-dropped.csv", "--epsilon", "1", "--missing", "drop"], 2, None),
    ("new-not-utf8", ["new", "tests/cli/data/new-not-utf8.csv", "--epsilon", "1"], 2, None),
    ("new-is-there", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "-o", f"{GALLERY}/titanic.json"], 2, None),
    ("new-over-table", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "-o", f"{DATA}/titanic.csv", "--force"], 2, None),
    ("new-nowhere", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "-o", "no-such-folder/t.json"], 2, None),
    ("new-full", ["new", f"{DATA}/titanic.csv", "--epsilon", "1", "-o", "/dev/full"], 2, None),
    ("help-new", ["new", "--help"], 0, None),
    ("search-bcdp-composes", ["search", "--property", "bcdp composes", "-o", "/tmp/oddsbound-test-search"], 0, None),
    ("search-cdp-bcdp", ["search", "--property", "cdp implies bcdp", "-o", "/tmp/oddsbound-test-search"], 0, None),
    ("search-bcdp-ldp", ["search", "--property", "bcdp implies ldp", "-o", "/tmp/oddsbound-test-search", "--format", "json"], 0, None),
    ("search-post-processes", ["search", "--property", "bcdp post-processes", "--outputs", "3"], 0, None),
    ("search-context", ["search", "--property", "context_ldp composes adaptively"], 0, None),
    ("search-partial", ["search", "--property", "partial_dp composes in parallel"], 0, None),
    ("search-undecided", ["search", "--property", "partial_dp composes in parallel", "--smt-seconds", "0.001"], 3, None),
    ("search-list", ["search", "--list"], 0, None),
    ("search-unknown", ["search", "--property", "bcdp compose"], 2, None),
    ("search-no-property", ["search"], 2, None),
    ("search-bad-level", ["search", "--property", "bcdp composes", "--level", "1"], 2, None),
    ("search-bad-coordinates", ["search", "--property", "bcdp composes", "--coordinates", "2,x"], 2, None),
    ("search-unused-level", ["search", "--property", "bcdp post-processes", "--level", "log(2)"], 2, None),
    ("search-nowhere", ["search", "--property", "bcdp composes", "-o", "/dev/null/here"], 2, None),
    ("help-search", ["search", "--help"], 0, None),
    ("empty-directory", ["verify", "tests/cli/broken/data"], 2, None),
    *((f"report-{format}", ["report", "--format", format, "tests/cli/data/results.json", "tests/cli/data/audit-results.json", "tests/cli/data/exhaustive-results.json"], 0, None)
      for format in ("markdown", "sarif", "junit", "github")),
    ("report-html", ["report", "--static", "tests/cli/data/results.json", "tests/cli/data/audit-results.json", "tests/cli/data/exhaustive-results.json"], 0, None),
    *((f"verify-{format}", ["verify", "--format", format, "tests/cli/specs/failing.json", "tests/cli/specs/hostile-report.json", f"{GALLERY}/warner.json", "tests/cli/broken/row-sum.json"], 2, None)
      for format in ("markdown", "sarif", "junit", "github")),
    ("verify-github-undecided", ["verify", "--max-cells", "100", "--format", "github", "tests/cli/specs/large.json"], 3, None),
    ("verify-junit-undecided", ["verify", "--max-cells", "100", "--format", "junit", "tests/cli/specs/large.json"], 3, None),
    ("verify-sarif-undecided", ["verify", "--max-cells", "100", "--format", "sarif", "tests/cli/specs/large.json"], 3, None),
    ("audit-junit", ["audit", "--seed", "1", "-n", "20000", "--format", "junit", f"{GALLERY}/warner.json"], 0, None),
    ("audit-github-deviates", ["audit", "--format", "github", "--plan", "tests/cli/unexpected-plan.json"], 1, None),
    ("report-other-version", ["report", "tests/cli/data/results-version-2.json"], 2, None),
    ("report-truncated", ["report", "tests/cli/data/results-truncated.json"], 2, None),
    ("report-short-row", ["report", "tests/cli/data/results-short-row.json"], 2, None),
    ("report-no-probability", ["report", "tests/cli/data/results-no-probability.json"], 2, None),
    ("report-bad-verdict", ["report", "tests/cli/data/results-bad-verdict.json"], 2, None),
    ("report-bad-decimal", ["report", "tests/cli/data/results-bad-decimal.json"], 2, None),
    ("report-contradictory", ["report", "tests/cli/data/results-contradictory.json"], 2, None),
    ("report-bad-witness", ["report", "tests/cli/data/results-bad-witness.json"], 2, None),
    ("outputs-over-input", ["report", "tests/cli/data/results.json", "-o", "tests/cli/../cli/data/results.json"], 2, None),
    ("lock-standard-input", ["lock", "write", "-"], 2, None),
    ("report-of-a-spec", ["report", f"{GALLERY}/warner.json"], 2, None),
    ("report-of-a-part", ["report", "tests/cli/data/part-1.json"], 2, None),
    ("report-missing", ["report", "no-such-file.json"], 2, None),
    ("report-one-bad", ["report", "--format", "github", "tests/cli/data/results.json", "tests/cli/data/results-truncated.json"], 2, None),
    ("report-nothing", ["report"], 2, None),
    ("report-text", ["report", "--format", "text", "tests/cli/data/results.json"], 2, None),
    ("outputs-twice", ["verify", "--format", "text", "--format", "json", f"{GALLERY}/warner.json"], 2, None),
    ("outputs-one-file", ["verify", "--format", "text", "-o", "/tmp/oddsbound-test-a", "--format", "json", "-o", "/tmp/../tmp/oddsbound-test-a", f"{GALLERY}/warner.json"], 2, None),
    ("outputs-no-format", ["verify", "--format", "text", "-o", "/tmp/oddsbound-test-a", "-o", "/tmp/oddsbound-test-b", f"{GALLERY}/warner.json"], 2, None),
    ("outputs-nowhere", ["verify", "--format", "html", "-o", "/no/such/folder/report.html", f"{GALLERY}/warner.json"], 2, None),
    ("outputs-directory", ["verify", "--format", "html", "-o", "/tmp", f"{GALLERY}/warner.json"], 2, None),
    ("outputs-full", ["verify", "--format", "html", "-o", "/dev/full", f"{GALLERY}/warner.json"], 2, None),
    ("lock-nothing", ["lock", "check", "--lock", "/tmp/oddsbound-no-lock.json"], 2, None),
    ("lock-no-command", ["lock"], 2, None),
    ("lock-no-reason", ["lock", "accept"], 2, None),
    ("help-report", ["report", "--help"], 0, None),
    ("help-lock", ["lock", "--help"], 0, None),
]


PRINTED = {}  # output of the cases above
MADE = tempfile.TemporaryDirectory()  # with the files of made.py


def run(binary, arguments, source, **options):
    """If a file is made for the run, runs in the folder of made files, so that its name is as in the checkout."""
    folder = MADE.name if made.NAMES.intersection(arguments) else ROOT
    stdin = open(os.path.join(ROOT, source), "rb") if source else subprocess.DEVNULL
    environment = {"PATH": os.environ["PATH"], "HOME": "/", "SOURCE_DATE_EPOCH": "0"}
    return subprocess.run([binary, *arguments], cwd=folder, stdin=stdin, capture_output=True, timeout=600, env=environment, **options)


def without_times(text):
    """Durations and the machine are no part of a golden file."""
    text = re.sub(r'"environment": \{[^}]*\}', '"environment": {}', text)
    text = re.sub(r'(<section id="environment">).*?(</section>)', r"\1\2", text, flags=re.DOTALL)
    text = re.sub(r"\d+\.\d ms", "N ms", text)
    return re.sub(r'("(?:exact|smt|seconds)": )[0-9.e+-]+', r"\1N", text)


def compare(name, what, found, update):
    found = without_times(found)
    path = os.path.join(GOLDEN, f"{name}.{what}")
    if update:
        if found or os.path.exists(path):
            with open(path, "w", encoding="utf-8") as file:
                file.write(found)
        return []
    expected = ""
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            expected = file.read()
    return list(difflib.unified_diff(expected.splitlines(), found.splitlines(), f"{name}.{what}", "found", lineterm=""))


# Half a minute for one message: with --all only.
SLOW = {"design-estimate-many"}


def golden_cases(binary, update):
    failures = 0
    for name, arguments, status, source in CASES:
        if name in SLOW and not update and "--all" not in sys.argv:
            continue
        result = run(binary, arguments, source)
        PRINTED[name] = result.stdout + result.stderr
        problems = compare(name, "out", result.stdout.decode(), update) + compare(name, "err", result.stderr.decode(), update)
        if result.returncode != status:
            problems.append(f"{name}: exit status {result.returncode}, expected {status}")
        failures += bool(problems)
        print("\n".join(problems)) if problems else None
    return len(CASES), failures


def behaviours(binary):
    """Statements about whole runs that no golden file can make."""
    def shards_of_a_program_add_up():
        return shards_add_up(f"{GALLERY}/warner.json", "1500000", "--program", "python3 examples/samplers/sampler.py")

    def shards_add_up(spec=f"{GALLERY}/half-copied.json", runs="300000", *options):
        common = ["audit", spec, "--seed", "3", "-n", runs, *options]
        with tempfile.TemporaryDirectory() as folder:
            parts = []
            for shard in (1, 2, 3):
                parts.append(os.path.join(folder, f"part-{shard}.json"))
                with open(parts[-1], "wb") as file:
                    file.write(run(binary, [*common, "--shard", f"{shard}/3"], None).stdout)
            merged = run(binary, ["audit", "merge", "--format", "json", *parts], None)
        whole = run(binary, [*common, "--format", "json", "-j", "2"], None)
        return merged.returncode == 0 and without_times(merged.stdout.decode()) == without_times(whole.stdout.decode())

    def samplers_in_three_languages():
        spec = f"{GALLERY}/warner.json"
        with tempfile.TemporaryDirectory() as folder:
            compiled = os.path.join(folder, "sampler")
            subprocess.run(["g++", "-std=c++17", "-O2", "-o", compiled, os.path.join(ROOT, "examples/samplers/sampler.cpp")], check=True)
            commands = ["python3 examples/samplers/sampler.py", "node examples/samplers/sampler.js", compiled]
            results = [run(binary, ["audit", spec, "--seed", "1", "-n", "300000", "--program", command], None) for command in commands]
        return all(result.returncode == 0 and b"passes: 300000 runs" in result.stdout for result in results)

    def a_program_leaves_no_process():
        marker = "misbehaves.py hangs"
        process = subprocess.Popen([binary, "audit", "tests/cli/specs/coin.json", "--program", f"python3 tests/cli/programs/{marker}"],
                                   cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=10)
        time.sleep(0.5)
        left = subprocess.run(["pgrep", "-f", marker], capture_output=True)
        return left.returncode == 1

    def a_pipe_is_waited_for_within_the_time_limit():
        """A table that nobody writes, and one that is written at once or late."""
        answers = "output\nyes\nno\nyes\n"
        spec = f"{GALLERY}/warner.json"
        with tempfile.TemporaryDirectory() as folder:
            pipe = os.path.join(folder, "answers.csv")
            os.mkfifo(pipe)
            silent = run(binary, ["estimate", "--max-seconds", "1", spec, pipe], None)
            late = subprocess.Popen(["sh", "-c", f"sleep 0.3; printf '{answers}' > {pipe}"])
            told = run(binary, ["estimate", spec, pipe], None)
            late.wait()
        ended = subprocess.run(["bash", "-c", f"exec 3< <(printf '{answers}'); sleep 0.2; '{binary}' estimate {spec} /dev/fd/3"],
                               cwd=ROOT, capture_output=True, timeout=60)
        idle = subprocess.run(["sh", "-c", f"sleep 3 | '{binary}' estimate --max-seconds 0.5 {spec} -"], cwd=ROOT, capture_output=True, timeout=60)
        waited = all(one.returncode == 3 and b"nothing came through this pipe" in one.stderr for one in (silent, idle))
        return (waited and told.returncode == 0
                and ended.returncode == 0 and ended.stdout == told.stdout)

    def new_ends_with_status_3_wherever_the_time_is_over():
        """While the level of an option is computed, and later."""
        levels = ("1", "log(3)", "log(12345678901234567^9999)")
        found = [run(binary, ["new", f"{GALLERY}/data/house-votes-84.csv", "--hide", "Class", "--epsilon", level, "--max-seconds", "1e-6"], None)
                 for level in levels]
        return all(one.returncode == 3 and b"the time limit was reached (--max-seconds 1e-06)" in one.stderr and b"expected a level" not in one.stderr
                   for one in found)

    def what_a_limit_left_open_is_in_the_json():
        """`open` of a stopped estimate, `reason` of an audit: the limit, with the results so far."""
        estimate = run(binary, ["estimate", "tests/cli/specs/many-marginals.json", "--samples", "1000", "--max-cells", "1000", "--format", "json"], None)
        audit = run(binary, ["audit", "--exhaustive", "--max-cells", "10", "--format", "json", f"{GALLERY}/hadamard-response.json"], None)
        known, proved = json.loads(estimate.stdout), json.loads(audit.stdout)["audits"][0]
        return (estimate.returncode == 3 and "--max-cells 1000" in known["open"]
                and audit.returncode == 3 and proved["verdict"] == "undecided" and "--max-cells 10" in proved["reason"])

    def reasons_of_undecided_claims_are_short():
        """The message that a number is irrational does not repeat its thousands of characters."""
        p = "((1+exp(-1))/2)^300"
        matrix = {"type": "matrix", "outputs": 2, "rows": [[p, f"1-{p}"], [f"1-{p}", p]]}
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}], "mechanism": matrix,
                "claims": [{"notion": "post_processing_of", "of": matrix}]}
        outputs = [subprocess.run([binary, "verify", "--format", form, "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=60)
                   for form in ("text", "json")]
        reason = json.loads(outputs[1].stdout)["specs"][0]["claims"][0]["reason"]
        return ([one.returncode for one in outputs] == [3, 3] and len(outputs[0].stdout) < 3000
                and reason.startswith("post-processing is decided for rational probabilities, and ") and len(reason) < 1600)

    def timings_are_numbers_and_asked_for():
        """Processor seconds of each spec and each claim; the values are not reproducible."""
        files = [f"{GALLERY}/warner.json", "tests/cli/specs/tight.json"]
        timed = [run(binary, ["verify", "--format", "json", *options, *files], None) for options in (["--timings"], [])]
        documents = [json.loads(result.stdout)["specs"] for result in timed]
        seconds = [spec["processor_seconds"] for spec in documents[0]] + [claim["processor_seconds"] for spec in documents[0] for claim in spec["claims"]]
        without = [part for spec in documents[1] for part in (spec, *spec["claims"]) if "processor_seconds" in part]
        numbers = all(type(value) in (int, float) and 0 <= value < 60 for value in seconds)
        text = [re.sub(rb"\d+\.\d ms", b"", run(binary, ["verify", *options, *files], None).stdout) for options in (["--timings"], [])]
        for spec in documents[0]:
            for part in (spec, *spec["claims"]):
                del part["processor_seconds"]
        return (len(seconds) > 5 and numbers and not without and documents[0] == documents[1] and len(text[0]) > 0
                and [result.returncode for result in timed] == [1, 1])

    def an_output_goes_where_links_lead():
        with tempfile.TemporaryDirectory() as folder:
            there, middle, first = (os.path.join(folder, name) for name in ("there.json", "middle", "first"))
            os.symlink("there.json", middle)
            os.symlink("middle", first)
            os.symlink("loop", os.path.join(folder, "loop"))
            results = [run(binary, ["verify", "--format", "json", "-o", name, f"{GALLERY}/warner.json"], None).returncode
                       for name in (first, os.path.join(folder, "loop"))]
            return results == [0, 2] and os.path.islink(middle) and os.path.islink(first) and not os.path.islink(there) and os.path.getsize(there) > 0

    def a_limit_ends_with_status_3_and_what_is_known():
        long = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "k_randomized_response", "epsilon": "(1+exp(1))^2000"}}
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "long.json")
            with open(path, "w") as file:
                json.dump(long, file)
            message = run(binary, ["verify", path], None)
        table = run(binary, ["new", f"{GALLERY}/data/house-votes-84.csv", "--hide", "Class", "--epsilon", "1", "--max-seconds", "0.002"], None)
        return (message.returncode == 2 and len(message.stderr) < 1500 and b"a level must be a rational number" in message.stderr
                and table.returncode == 3 and b"--max-seconds" in table.stderr)

    def a_file_that_makes_readers_wait_is_refused():
        """/proc/kmsg claims to be a regular file, and only root may read it."""
        spec = {"oddsbound": 1, "name": "t", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "matrix", "outputs": 2, "file": "/proc/kmsg"}}
        begin = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "kmsg.json")
            with open(path, "w") as file:
                json.dump(spec, file)
            named = run(binary, ["verify", path], None)
        direct = run(binary, ["verify", "/proc/kmsg"], None)
        return (time.monotonic() - begin < 20 and named.returncode == direct.returncode == 2
                and b"cannot read '/proc/kmsg': " in named.stderr and b"/proc/kmsg: " in direct.stderr)

    def closed_pipe():
        command = f"set -o pipefail; '{binary}' verify --format json {GALLERY} {GALLERY} {GALLERY} | head -c 1 > /dev/null"
        result = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, timeout=120)
        return result.returncode == 2 and b"cannot write to standard output" in result.stderr

    def complaints_that_nobody_reads_are_lost():
        read_end, write_end = os.pipe()
        os.close(read_end)
        sample = ["sample", f"{GALLERY}/warner.json", "--input", "yes", "--count", "2", "--seed", "1"]
        results = [subprocess.run([binary, *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=write_end, timeout=60)
                   for arguments in (["verify", "no-such-file.json"], ["no-such-command"], sample)]
        os.close(write_end)
        return [result.returncode for result in results] == [2, 2, 0] and results[2].stdout == b"output\nyes\nyes\n"

    def certificates_do_not_depend_on_threads():
        specs = [f"specs/sets-of-priors/{name}.json" for name in ("two-groups", "titanic-public-tables", "berkeley-sample")]
        written = []
        for options in (["--threads", "1"], ["--threads", "3"], ["--jobs", "3"]):
            with tempfile.TemporaryDirectory() as folder:
                status = run(binary, ["verify", "--certificates", os.path.join(folder, "made"), *options, *specs], None).returncode
                texts = []
                for name in sorted(os.listdir(os.path.join(folder, "made"))):
                    with open(os.path.join(folder, "made", name), encoding="utf-8") as file:
                        texts.append(file.read())
                written.append((status, texts))
        claims = [[claim["claim"] for claim in json.loads(text)["claims"]] for text in written[0][1]]
        return written[0] == written[1] == written[2] and all(claims) and len(claims) == 3 and written[0][0] == 0

    def full_disk():
        with open("/dev/full", "wb") as full:
            results = [subprocess.run([binary, *arguments], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, timeout=60) for arguments in (
                ["schema"], ["--help"], ["--version"], ["verify", "--help"], ["audit", "merge", "--help"], ["man"],
                ["completion", "bash"], ["mechanisms"], ["search", "--list"], ["verify", f"{GALLERY}/warner.json"],
                ["estimate", "--samples", "10", f"{GALLERY}/warner.json"],
                ["sample", f"{GALLERY}/warner.json", "--input", "yes"])]
        return all(result.returncode == 2 and b"No space left" in result.stderr for result in results)

    def jobs_agree():
        one, many = (run(binary, ["verify", "--format", "json", "--jobs", n, GALLERY], None) for n in ("1", "4"))
        return one.returncode == 0 and one.stdout == many.stdout

    def schema_is_printed():
        with open(os.path.join(ROOT, "specs/oddsbound.schema.json"), "rb") as file:
            return run(binary, ["schema"], None).stdout == file.read()

    def numbers_read_back():
        document = json.loads(run(binary, ["analyze", "--format", "json", f"{GALLERY}/titanic-half.json"], None).stdout)
        level = document["specs"][0]["analysis"]["bcdp"]["survived"]
        spec = {"oddsbound": 1, "name": "again", "domain": [{"name": "x", "size": 2}],
                "mechanism": {"type": "k_randomized_response", "epsilon": level["epsilon"]}}
        again = subprocess.run([binary, "analyze", "--format", "json", "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=60)
        return json.loads(again.stdout)["specs"][0]["analysis"]["ldp"]["exp"] == level["exp"]

    def time_limit():
        result = run(binary, ["verify", "--max-seconds", "0.05", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-seconds" in result.stdout + result.stderr

    def memory_limit():
        result = run(binary, ["verify", "--max-memory-mb", "16", "tests/cli/specs/slow.json"], None)
        return result.returncode in (2, 3) and b"--max-memory-mb" in result.stdout + result.stderr

    def many_labels():
        """134 million output labels stop at the memory limit, not at the machine's."""
        spec = {"oddsbound": 1, "name": "s", "domain": [{"name": "x", "size": 1}],
                "mechanism": {"type": "matrix", "outputs": 134217728, "rows": [[1]]}}
        result = subprocess.run([binary, "verify", "--max-memory-mb", "300", "-"], input=json.dumps(spec).encode(),
                                capture_output=True, timeout=60)
        return result.returncode == 2 and b"--max-memory-mb" in result.stderr

    def seeds_repeat_for_any_number_of_threads():
        draws = [run(binary, ["sample", f"{GALLERY}/rappor.json", "--from-prior", "200000", "--seed", "9", "-j", n], None).stdout
                 for n in ("1", "2", "5")]
        return draws[0] == draws[1] == draws[2] and len(draws[0]) > 800_000

    def other_seeds_and_no_seed_differ():
        arguments = ["sample", f"{GALLERY}/rappor.json", "--input", "0", "-n", "200"]
        draws = [run(binary, arguments + seed, None).stdout for seed in (["--seed", "1"], ["--seed", "2"], [], [])]
        return len(set(draws)) == 4

    def every_family_samples_and_estimates():
        """sample | estimate for every gallery spec that names a family; only the exponential mechanism has no
        estimator."""
        good = True
        for name in sorted(os.listdir(os.path.join(ROOT, GALLERY))):
            path = f"{GALLERY}/{name}"
            if not name.endswith(".json") or not os.path.getsize(os.path.join(ROOT, path)):
                continue
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                spec = json.load(file)
            if spec["mechanism"]["type"] not in FAMILIES:
                continue
            first = [c["values"][0] if "values" in c else "0" for c in spec["domain"]]
            drawn = run(binary, ["sample", path, "--input", json.dumps(first), "-n", "20000", "--seed", "1"], None)
            found = subprocess.run([binary, "estimate", "--format", "json", path, "-"], cwd=ROOT, input=drawn.stdout,
                                   capture_output=True, timeout=120)
            document = json.loads(found.stdout)
            true = [1.0] + [0.0] * (len(document["estimates"]) - 1) if document["targets"] == "shares" else [float(Fraction(v)) for v in first]
            for value, estimate in zip(true, document["estimates"]):
                error = max(estimate["standard_error"], 1e-9)
                near = abs(float(estimate.get("lower", estimate["value"])) - value) < 6 * error
                good = good and near
            good = good and document.get("unbiased", True) is True
        return good

    def every_sampler_is_proved():
        """Of the gallery, the papers' specs and small releases, only those with continuous outputs stay undecided; for
        a survey, some inputs are checked."""
        result = run(binary, ["audit", "--exhaustive", "--format", "json", GALLERY, "specs/claims-of-the-papers", "specs/releases"], None)
        audits = json.loads(result.stdout)["audits"]
        undecided = [audit["name"] for audit in audits if audit["verdict"] != "passes"]
        audits = [audit for audit in audits if audit["name"] != "house-votes"]
        whole = all(choice["verdict"] == "passes" for audit in audits for choice in audit.get("choices", []))
        return result.returncode == 3 and undecided == ["bcdp-mean-l2", "duchi-l2-ball", "house-votes"] and len(audits) > 105 and whole

    def queries_are_files():
        """Every query of the gallery's small specs is written with its expected answer; a second solver agrees if it
        is installed."""
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["verify", "--engine", "both", "--format", "json", "--emit-smt2", folder, f"{GALLERY}/warner.json",
                         f"{GALLERY}/coin-or-value-once.json", f"{GALLERY}/post-processing.json", "specs/parametric/warner.json"]
            if shutil.which("cvc5"):
                arguments += ["--cross-check", "cvc5", "--smt-seconds", "20"]
            result = run(binary, arguments, None)
            queries = [q for spec in json.loads(result.stdout)["specs"] for c in spec["claims"] for q in c["queries"]]
            texts = {q["file"]: open(q["file"], encoding="utf-8").read() for q in queries}
            said = all(f"(set-info :status {q['status']})" in texts[q["file"]] and "; " in texts[q["file"]] for q in queries)
            opinions = {q.get("cross_check", q["status"]) == q["status"] for q in queries if q["status"] != "unknown"}
            whole = len(queries) >= 20 and sorted(os.listdir(folder)) == sorted(os.path.basename(f) for f in texts)
            return result.returncode == 0 and said and whole and opinions == {True}

    def interrupt_stops_at_once():
        """Ctrl-C ends a run within a second, with no process left and nothing half-written."""
        with tempfile.TemporaryDirectory() as folder:
            process = subprocess.Popen([binary, "verify", "--engine", "smt", "--emit-smt2", folder, f"{GALLERY}/hair-eye-sex.json"],
                                       cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            time.sleep(1.5)
            children = subprocess.run(["pgrep", "-g", str(process.pid)], capture_output=True).stdout.split()
            process.send_signal(signal.SIGINT)
            start = time.monotonic()
            process.wait(timeout=20)
            stopped = time.monotonic() - start < 1
            time.sleep(0.3)
            def runs(pid):
                """Not gone, and not a zombie that waits for a careless init."""
                try:
                    with open(f"/proc/{pid.decode()}/stat", encoding="utf-8") as file:
                        return file.read().rsplit(")", 1)[1].split()[0] != "Z"
                except OSError:
                    return False
            left = [pid for pid in children if runs(pid)]
            return stopped and len(children) >= 2 and not left and not [f for f in os.listdir(folder) if "-part-" in f]

    def a_survey_is_sampled_and_estimated():
        """Too many inputs and outputs to enumerate: by coordinate, and the requested joint distributions."""
        names = [f"q{i}" for i in range(30)]
        spec = {"oddsbound": 1, "name": "survey", "domain": [{"name": name, "values": ["a", "b,c", "(d", "e"]} for name in names],
                "mechanism": {"type": "per_coordinate", "mechanisms": {name: {"type": "k_randomized_response", "epsilon": "2"} for name in names[:-1]}}}
        with tempfile.TemporaryDirectory() as folder:
            path, answers = os.path.join(folder, "survey.json"), os.path.join(folder, "answers.csv")
            with open(path, "w", encoding="utf-8") as file:
                json.dump(spec, file)
            value_of = {name: spec["domain"][0]["values"][i % 4] for i, name in enumerate(names)}
            drawn = run(binary, ["sample", path, "--input", json.dumps(list(value_of.values())), "-n", "2000", "--seed", "1"], None)
            with open(answers, "wb") as file:
                file.write(drawn.stdout)
            each = json.loads(run(binary, ["estimate", path, answers, "--format", "json"], None).stdout)
            some = json.loads(run(binary, ["estimate", path, answers, "--format", "json", "--marginals", "q3,q0"], None).stdout)
        def close(marginal):
            label = [value_of[name] for name in marginal["coordinates"]]
            true = label[0] if len(label) == 1 else "(" + ",".join(label) + ")"
            return marginal["unbiased"] and all(abs(float(Fraction(e["lower"])) - (e["target"] == true)) < 6 * e["standard_error"] + 1e-9
                                                for e in marginal["estimates"])
        whole = [m["coordinates"] for m in each["marginals"]] == [[name] for name in names[:-1]]
        return (whole and [n["coordinate"] for n in each["not_estimated"]] == [names[-1]] and len(some["marginals"]) == 1
                and all(close(m) for m in each["marginals"] + some["marginals"]))

    def found_counterexamples_verify():
        with tempfile.TemporaryDirectory() as folder:
            for name in ["bcdp composes", "cdp implies bcdp", "bcdp implies ldp"]:
                run(binary, ["search", "--property", name, "-o", folder], None)
            result = run(binary, ["verify", "--format", "json", folder], None)
            summary = json.loads(result.stdout)["summary"]
            return result.returncode == 0 and summary["specs"] == 4 and summary["claims"] == 6

    def every_format_has_the_same_exit_status():
        formats = ["text", "json", "html", "markdown", "sarif", "junit", "github"]
        cases = [(["verify", f"{GALLERY}/warner.json"], 0), (["verify", "tests/cli/specs/failing.json"], 1),
                 (["verify", "tests/cli/specs/failing.json", "no-such-file.json"], 2),
                 (["verify", "--max-cells", "100", "tests/cli/specs/large.json"], 3),
                 (["audit", "--plan", "tests/cli/unexpected-plan.json"], 1),
                 (["audit", "--exhaustive", f"{GALLERY}/duchi-l2-ball.json"], 3)]
        good = all(run(binary, [*arguments, "--format", f], None).returncode == status for arguments, status in cases for f in formats)
        # Exceptions take seconds to find: golden files hold the status of the other formats, and one run has all
        # that are accepted.
        exceptions = ["audit", "--exhaustive", "--smt-seconds", "0.0001", "tests/cli/specs/large-choices.json"]
        with tempfile.TemporaryDirectory() as folder:
            together = [word for f in formats[1:] for word in ("--format", f, "--output", os.path.join(folder, f))]
            accepted = run(binary, [*exceptions, "--accept-exceptions", "--format", "text", *together], None)
            whole = len(os.listdir(folder)) == len(formats) - 1
        return good and whole and accepted.returncode == 0 and run(binary, [*exceptions, "--format", "html"], None).returncode == 3

    def several_outputs_at_once():
        """Each is the same as if written alone."""
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "result")
            both = run(binary, ["verify", "--format", "text", "--format", "sarif", "--output", file, "tests/cli/specs/failing.json"], None)
            with open(file, "rb") as written:
                sarif = written.read()
        alone = [run(binary, ["verify", "--format", f, "tests/cli/specs/failing.json"], None).stdout for f in ("text", "sarif")]
        return [both.stdout, sarif] == alone and both.returncode == 1

    def a_job_summary_is_appended():
        with tempfile.TemporaryDirectory() as folder:
            def with_summary(path):
                return subprocess.run([binary, "verify", "--format", "github", "tests/cli/specs/failing.json"], cwd=ROOT, timeout=60,
                                      capture_output=True, env={"PATH": os.environ["PATH"], "GITHUB_STEP_SUMMARY": path})
            path = os.path.join(folder, "summary.md")
            with open(path, "w", encoding="utf-8") as file:
                file.write("from before\n")
            annotated = with_summary(path)
            with open(path, encoding="utf-8") as file:
                summary = file.read()
            nowhere = with_summary(os.path.join(folder, "no", "summary.md"))
        return (annotated.returncode == 1 and summary.startswith("from before\n## oddsbound: 7 checks") and
                nowhere.returncode == 2 and b"GITHUB_STEP_SUMMARY" in nowhere.stderr)

    def designs_have_pages_and_conflicts_none():
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "x.html")
            cases = (["design", "specs/designs/hours.design.json", "-o", path], 0, b"what is best turns"), \
                    (["repair", "tests/cli/designs/solved-in-floats.json", "--rounded-rows", "--static", "-o", path], 0, b"The change"), \
                    (["design", "tests/cli/designs/conflict.design.json", "-o", path], 2, None)
            for arguments, status, words in cases:
                good = run(binary, arguments, None).returncode == status and os.path.exists(path) == (words is not None)
                if not good:
                    return False
                if words is not None:
                    with open(path, "rb") as file:
                        page = file.read()
                    if words not in page or not page.endswith(b"</html>\n"):
                        return False
                    os.remove(path)
        return True

    def an_output_is_whole_or_as_it_was():
        """A file system that fills up midway."""
        def small_files_only():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        good = True
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.html")
            for arguments in (["verify", "--format", "html", "-o", path, f"{GALLERY}/warner.json"],
                              ["report", "tests/cli/data/results.json", "-o", path]):
                with open(path, "w", encoding="utf-8") as file:
                    file.write("old")
                result = run(binary, arguments, None, preexec_fn=small_files_only)
                with open(path, encoding="utf-8") as file:
                    kept = file.read() == "old"
                good = good and kept and os.listdir(folder) == ["report.html"] and result.returncode == 2 and b"cannot write" in result.stderr
        return good

    def folders_behind_links_are_searched_once():
        with tempfile.TemporaryDirectory() as folder:
            specs, other = os.path.join(folder, "specs"), os.path.join(folder, "other")
            os.makedirs(specs)
            os.makedirs(other)
            shutil.copy(os.path.join(ROOT, GALLERY, "warner.json"), specs)
            shutil.copy(os.path.join(ROOT, "tests/cli/specs/failing.json"), other)
            os.symlink("../other", os.path.join(specs, "a-link"))
            os.symlink("../other", os.path.join(specs, "link"))
            os.symlink("..", os.path.join(other, "cycle"))
            found = run(binary, ["verify", "--format", "json", specs], None)
            files = sorted(os.path.relpath(s["file"], specs) for s in json.loads(found.stdout)["specs"])
            good = found.returncode == 1 and files == ["a-link/failing.json", "warner.json"]
            whole = json.loads(run(binary, ["verify", "--format", "json", folder], None).stdout)
            good = good and sorted(os.path.relpath(s["file"], folder) for s in whole["specs"]) == ["other/failing.json", "specs/warner.json"]
            os.symlink("../gone", os.path.join(specs, "nowhere"))
            os.mkfifo(os.path.join(specs, "pipe.json"))
            broken = run(binary, ["verify", specs], None)
        return (good and broken.returncode == 2 and b"nowhere: this link leads nowhere" in broken.stderr and
                b"pipe.json: this is not a regular file" in broken.stderr and b"failing.json" in broken.stdout)

    def what_is_asked_for_and_open_shows_in_the_status():
        titanic = f"{GALLERY}/titanic.json"
        limited = ["--max-cells", "20", f"{GALLERY}/berkeley.json"]
        status = [run(binary, arguments, None).returncode for arguments in (
            ["analyze", *limited], ["analyze", "--format", "html", *limited], ["verify", *limited], ["verify", "--tradeoff", *limited],
            ["analyze", titanic], ["analyze", "specs/parametric/warner.json"], ["analyze", f"{GALLERY}/bcdp-mean-l2.json"])]
        return status == [3, 3, 3, 3, 0, 0, 0]

    def a_second_solver_without_an_answer_is_a_missing_opinion():
        good = True
        for script, words in (("echo unknown", "cvc5: unknown"), ("exit 1", "cvc5: no answer"), ("exec sleep 60", "cvc5: no answer within the time limit")):
            with tempfile.TemporaryDirectory() as folder:
                program = os.path.join(folder, "cvc5")
                with open(program, "w", encoding="utf-8") as file:
                    file.write(f"#!/bin/sh\n{script}\n")
                os.chmod(program, 0o755)
                result = subprocess.run([binary, "verify", "--engine", "smt", "--cross-check", "cvc5", "--smt-seconds", "1", "--format", "json",
                                         f"{GALLERY}/warner.json"], cwd=ROOT, capture_output=True, timeout=120,
                                        env={"PATH": folder + ":" + os.environ["PATH"]})
            claims = json.loads(result.stdout)["specs"][0]["claims"]
            good = good and result.returncode == 3 and all(words in claim["missing_opinion"] and not claim["ok"] for claim in claims)
        return good

    def a_table_becomes_a_spec_that_verifies_and_is_locked():
        """The spec is in another folder than its table, also behind a link; existing files are kept unless overwriting
        is requested."""
        requests = (["titanic.csv", "--hide", "survived", "--count", "count", "--epsilon", "log(3)"],
                    ["berkeley.csv", "--hide", "admitted", "--count", "count", "--epsilon", "1/2"],
                    ["house-votes-84.csv", "--hide", "Class", "--epsilon", "1"],
                    ["house-votes-84.csv", "--columns", "V1", "V2", "V3", "--epsilon", "2"])
        good = True
        with tempfile.TemporaryDirectory() as folder:
            specs, there = os.path.join(folder, "specs"), os.path.join(folder, "deeper", "there")
            os.makedirs(there)
            os.symlink(there, specs)
            # Next to the link, so that table names do not pass through the root directory.
            shutil.copytree(os.path.join(ROOT, DATA), os.path.join(folder, "tables"))
            for i, (table, *options) in enumerate(requests):
                path, table = os.path.join(specs, f"{i}.json"), os.path.join(folder, "tables", table)
                made_new = run(binary, ["new", table, *options, "-o", path], None)
                again = run(binary, ["new", table, *options, "-o", path], None)
                with open(path, "rb") as file:
                    first = file.read()
                forced = run(binary, ["new", table, *options, "-o", path, "--force"], None)
                with open(path, "rb") as file:
                    good = good and file.read() == first
                good = good and [made_new.returncode, again.returncode, forced.returncode] == [0, 2, 0]
            lock = os.path.join(folder, "lock.json")
            steps = (["verify", specs], ["lock", "write", "--lock", lock, specs], ["lock", "check", "--strict", "--lock", lock])
            return good and [run(binary, step, None).returncode for step in steps] == [0, 0, 0]

    def one_release_at_a_time_spends_from_a_ledger():
        """While one release waits for its table, a second one is refused; a killed one holds no lock."""
        survey, people = "specs/releases/survey.release.json", "specs/releases/data/people.csv"
        with tempfile.TemporaryDirectory() as folder:
            spent, pipe = os.path.join(folder, "spent.json"), os.path.join(folder, "people.csv")
            os.mkfifo(pipe)

            def begin():
                process = subprocess.Popen([binary, "release", survey, pipe, "--spent", spent], cwd=ROOT, stdout=subprocess.PIPE)
                return process, open(pipe, "wb")  # once it is open at both ends, the lock is held

            def another():
                return run(binary, ["release", survey, people, "--spent", spent], None)

            killed, table = begin()
            killed.kill()
            killed.communicate()
            table.close()
            first, table = begin()
            refused = another()
            nothing = not os.path.exists(spent)
            with table, open(os.path.join(ROOT, people), "rb") as rows:
                table.write(rows.read())
            told, _ = first.communicate(timeout=60)
            with open(spent, "rb") as file:
                after_first = file.read()
            exceeded = another()
            with open(spent, "rb") as file:
                unchanged = file.read() == after_first
            return (refused.returncode == 2 and refused.stdout == b"" and refused.stderr.count(b"\n") == 1
                    and b"spent.json: another release is spending from this ledger" in refused.stderr and nothing
                    and first.returncode == 0 and b"500 people" in told and exceeded.returncode == 1 and unchanged
                    and sorted(os.listdir(folder)) == ["people.csv", "spent.json"])

    def no_escape_sequences():
        return not any(b"\x1b" in text for name, text in PRINTED.items() if name != "verify-color")

    def thirty_thousand_coordinates_fit_into_little_memory():
        names = [f"x{k}" for k in range(30_000)]
        spec = {"oddsbound": 1, "name": "wide", "domain": [{"name": name, "values": ["0", "1"]} for name in names],
                "mechanism": {"type": "on", "coordinates": ["x5"], "mechanism": {"type": "k_randomized_response", "epsilon": "log(3)"}},
                "claims": [{"notion": "cdp", "epsilon": "log(3)"}]}
        result = subprocess.run([binary, "verify", "--max-memory-mb", "300", "-"], input=json.dumps(spec).encode(), capture_output=True, timeout=600)
        return result.returncode == 0 and b"1 claim: 1 as expected" in result.stdout

    # It waits for seven seconds without computing, so it runs in parallel with the others.
    beside = ThreadPoolExecutor(1).submit(a_second_solver_without_an_answer_is_a_missing_opinion)

    checks = [
        seeds_repeat_for_any_number_of_threads,
        other_seeds_and_no_seed_differ,
        every_family_samples_and_estimates,
        every_sampler_is_proved,
        shards_add_up,
        shards_of_a_program_add_up,
        samplers_in_three_languages,
        a_program_leaves_no_process,
        a_pipe_is_waited_for_within_the_time_limit,
        thirty_thousand_coordinates_fit_into_little_memory,
        a_file_that_makes_readers_wait_is_refused,
        a_limit_ends_with_status_3_and_what_is_known,
        an_output_goes_where_links_lead,
        closed_pipe,
        complaints_that_nobody_reads_are_lost,
        certificates_do_not_depend_on_threads,
        full_disk,
        jobs_agree,
        queries_are_files,
        interrupt_stops_at_once,
        a_survey_is_sampled_and_estimated,
        found_counterexamples_verify,
        schema_is_printed,
        numbers_read_back,
        time_limit,
        memory_limit,
        many_labels,
        every_format_has_the_same_exit_status,
        several_outputs_at_once,
        a_job_summary_is_appended,
        an_output_is_whole_or_as_it_was,
        designs_have_pages_and_conflicts_none,
        folders_behind_links_are_searched_once,
        what_is_asked_for_and_open_shows_in_the_status,
        a_table_becomes_a_spec_that_verifies_and_is_locked,
        one_release_at_a_time_spends_from_a_ledger,
        no_escape_sequences,
        new_ends_with_status_3_wherever_the_time_is_over,
        what_a_limit_left_open_is_in_the_json,
        reasons_of_undecided_claims_are_short,
        timings_are_numbers_and_asked_for,
    ]
    failed = [check.__name__ for check in checks if not check()]
    failed += [] if beside.result() else [a_second_solver_without_an_answer_is_a_missing_opinion.__name__]
    for name in failed:
        print("fails:", name)
    return len(checks) + 1, len(failed)


def main():
    binary = os.path.abspath(sys.argv[1])
    os.makedirs(GOLDEN, exist_ok=True)
    made.make(MADE.name)
    cases, failures = golden_cases(binary, "--update" in sys.argv)
    checks, failed = behaviours(binary)
    print(f"{cases + checks - failures - failed} passed, {failures + failed} failed")
    return 1 if failures + failed else 0


if __name__ == "__main__":
    sys.exit(main())
