#!/usr/bin/env python3
"""The job scripts do what they say, as far as a machine without a scheduler can tell: job_scripts.py ODDSBOUND.

The shards of Kubernetes and of Slurm are run by their own commands, with the variables that those set; GNU parallel where it is."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
JOBS = os.path.join(ROOT, "examples/jobs")
SPEC = os.path.join(ROOT, "specs/gallery/warner.json")
RUNS = "200000"


def sh(command, folder, **variables):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False,
                          env={**os.environ, "PATH": folder + ":" + os.environ["PATH"], **variables})
    if done.returncode != 0:
        sys.exit(f"FAIL: {command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def findings(text):
    return re.sub(r'"seconds": [0-9.e+-]+', "", json.dumps(json.loads(text)["audits"]))


def kubernetes(folder):
    job, merge = yaml.safe_load_all(open(os.path.join(JOBS, "kubernetes.yaml"), encoding="utf-8"))
    assert job["kind"] == "Job" and job["spec"]["completionMode"] == "Indexed", job
    count = job["spec"]["completions"]
    [container] = job["spec"]["template"]["spec"]["containers"]
    [arguments] = container["args"]
    assert f"/{count}\"" in arguments, "as many shards as pods"
    shutil.copy(SPEC, os.path.join(folder, "spec.json"))
    here = arguments.replace("/work/", folder + "/").replace("1000000000", RUNS)
    for index in range(count):
        sh([*container["command"], here], folder, JOB_COMPLETION_INDEX=str(index))
    [container] = merge["spec"]["jobTemplate"]["spec"]["template"]["spec"]["containers"]
    sh([*container["command"], container["args"][0].replace("/work/", folder + "/")], folder)
    return findings(open(os.path.join(folder, "audit.json"), encoding="utf-8").read())


def slurm(folder, spec):
    for task in (1, 2, 3):
        sh([os.path.join(JOBS, "slurm-array.sh"), spec, RUNS], folder, SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="3")
    sh([os.path.join(JOBS, "slurm-merge.sh")], folder)
    return findings(open(os.path.join(folder, "audit.json"), encoding="utf-8").read())


def main():
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(sys.argv[1]), os.path.join(folder, "oddsbound"))
        spec = os.path.join(folder, "spec.json")
        by_pods = kubernetes(folder)
        whole = findings(sh(["oddsbound", "audit", spec, "--samples", RUNS, "--seed", "1", "--format", "json"], folder))
        assert by_pods == whole, "shards find what one run finds"
        for part in glob.glob(os.path.join(folder, "part-*")):
            os.remove(part)
        assert slurm(folder, spec) == whole, "so do those of an array"
        for part in glob.glob(os.path.join(folder, "part-*")):
            os.remove(part)
        if shutil.which("parallel"):
            sh([os.path.join(JOBS, "parallel.sh"), spec, RUNS, "4"], folder)
    print("job scripts: all as expected")


if __name__ == "__main__":
    main()
