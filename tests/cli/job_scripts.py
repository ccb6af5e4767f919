#!/usr/bin/env python3
"""Tests the job scripts as far as possible without a scheduler: job_scripts.py ODDSBOUND [ODDSBOUND_MPI].

The shards of Kubernetes and Slurm run with their own commands and the variables that the schedulers set; those of GNU
parallel run one by one if it is not installed. The MPI script gets Slurm's signal to stop, and is started again."""
import glob
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import yaml

ROOT = os.path.abspath(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", ".."))
JOBS = os.path.join(ROOT, "examples/jobs")
SPEC = os.path.join(ROOT, "specs/gallery/warner.json")
RUNS = "200000"
# Replaces GNU parallel: runs the command after parallel's own options for every line.
ONE_BY_ONE = """#!/bin/bash
set -e
while [[ $1 != oddsbound ]]; do shift; done
while read -r line; do "${@//\\{\\}/$line}"; done
"""


def environment(folder, **variables):
    return {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "PATH": folder + ":" + os.environ["PATH"], **variables}


def sh(command, folder, **variables):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False, env=environment(folder, **variables))
    if done.returncode != 0:
        sys.exit(f"FAIL: {command}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def program(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(file.name, 0o755)


def without_times(text, key):
    return re.sub(r'"(seconds|exact|smt)": [0-9.e+-]+', "", json.dumps(json.loads(text)[key]))


def merged(folder):
    """The merged result of the shards; removes their parts."""
    with open(os.path.join(folder, "audit.json"), encoding="utf-8") as file:
        found = without_times(file.read(), "audits")
    for name in [*glob.glob(os.path.join(folder, "part-*")), file.name]:
        os.remove(name)
    return found


def scripts():
    names = glob.glob(os.path.join(JOBS, "*.sh"))
    assert len(names) >= 4, names
    for name in names:
        sh(["bash", "-n", name], ROOT)
    if shutil.which("shellcheck"):
        sh(["shellcheck", *names], ROOT)


def job(name):
    """The Job of a file, and its only container."""
    with open(os.path.join(JOBS, name), encoding="utf-8") as file:
        found = yaml.safe_load(file)
    assert (found["apiVersion"], found["kind"]) == ("batch/v1", "Job"), found
    pod = found["spec"]["template"]["spec"]
    assert pod["restartPolicy"] == "Never", pod
    [container] = pod["containers"]
    assert [mount["name"] for mount in container["volumeMounts"]] == [volume["name"] for volume in pod["volumes"]], pod
    return found, container


def kubernetes(folder):
    shards, container = job("kubernetes-shards.yaml")
    assert shards["spec"]["completionMode"] == "Indexed", shards
    count = shards["spec"]["completions"]
    [arguments] = container["args"]
    assert f"/{count}\"" in arguments, "as many shards as pods"
    here = arguments.replace("/work/", folder + "/").replace("1000000000", RUNS)
    for index in range(count):
        sh([*container["command"], here], folder, JOB_COMPLETION_INDEX=str(index))
    _, container = job("kubernetes-merge.yaml")
    sh([*container["command"], container["args"][0].replace("/work/", folder + "/")], folder)
    return merged(folder)


def slurm(folder, spec):
    for task in (1, 2, 3):
        sh([os.path.join(JOBS, "slurm-array.sh"), spec, RUNS, "3"], folder, SLURM_ARRAY_TASK_ID=str(task))
    sh([os.path.join(JOBS, "slurm-merge.sh")], folder)
    return merged(folder)


def parallel(folder, spec):
    if not shutil.which("parallel"):
        program(folder, "parallel", ONE_BY_ONE)
    return sh([os.path.join(JOBS, "parallel.sh"), spec, RUNS, "4"], folder)


def mpi(folder):
    """On the signal to stop, the job keeps its state and asks to be queued again. Then it ends with the result of one
    process."""
    from several_processes import house_votes
    spec = house_votes(folder, "1/5")
    program(folder, "scontrol", '#!/bin/sh\necho "$@" >>asked\n')
    program(folder, "squeue", "#!/bin/sh\necho RUNNING\n")
    command = [os.path.join(JOBS, "slurm-mpi.sh"), "analyze", spec]
    variables = {"SLURM_JOB_NAME": "votes", "SLURM_JOB_ID": "7", "ODDSBOUND_CHECKPOINT_SECONDS": "0.1"}
    run = subprocess.Popen(command, cwd=folder, env=environment(folder, **variables), stdin=subprocess.DEVNULL,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    checkpoint = os.path.join(folder, "votes.checkpoint")
    while run.poll() is None and not os.path.exists(checkpoint):
        time.sleep(0.02)
    run.send_signal(signal.SIGTERM)
    assert run.wait(60) == 3, f"status {run.returncode}: what is known is written"
    with open(os.path.join(folder, "asked"), encoding="utf-8") as file:
        assert file.read() == "requeue 7\n"
    assert os.path.exists(checkpoint)
    sh(command, folder, **variables)
    assert not os.path.exists(checkpoint), "it is complete"
    with open(os.path.join(folder, "votes.result.json"), encoding="utf-8") as file:
        found = without_times(file.read(), "specs")
    assert found == without_times(sh(["oddsbound", "analyze", spec, "--format", "json"], folder), "specs")


def main():
    scripts()
    with tempfile.TemporaryDirectory() as folder:
        for name, binary in zip(("oddsbound", "oddsbound-mpi"), sys.argv[1:]):
            os.symlink(os.path.abspath(binary), os.path.join(folder, name))
        spec = shutil.copy(SPEC, os.path.join(folder, "spec.json"))
        command = ["oddsbound", "audit", spec, "--samples", RUNS, "--seed", "1"]
        whole = without_times(sh([*command, "--format", "json"], folder), "audits")
        assert kubernetes(folder) == whole, "pods find what one run finds"
        assert slurm(folder, spec) == whole, "so do the tasks of an array"
        assert parallel(folder, spec) == sh(command, folder), "so do the jobs of GNU parallel"
        if len(sys.argv) > 2:
            mpi(folder)
    print("job scripts: all as expected")


if __name__ == "__main__":
    main()
