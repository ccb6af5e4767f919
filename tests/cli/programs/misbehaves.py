"""Breaks one rule for programs, chosen by its argument."""
import json
import sys
import time

what = sys.argv[1]
for line in sys.stdin:
    count = json.loads(line)["count"]
    if what == "hangs":
        time.sleep(600)
    elif what == "garbage":
        print("<html>" * 3, flush=True)
    elif what == "floods":
        sys.stdout.write("x" * (70 << 20))
        sys.stdout.flush()
        time.sleep(600)
    elif what == "unknown":
        print(json.dumps({"outputs": ["0"] * (count - 1) + ["2"]}), flush=True)
    elif what == "too-many":
        print(json.dumps({"counts": {"0": count, "1": 1}}), flush=True)
    elif what == "says-no":
        print(json.dumps({"error": "the model file is missing"}), flush=True)
    elif what == "kills-itself":
        import os
        os.kill(os.getpid(), 9)
    elif what == "eats-memory":
        hoard = bytearray(8 << 30)
        print(len(hoard), flush=True)
    elif what == "deep":
        print("[" * 100000, flush=True)
    elif what == "negative":
        print(json.dumps({"counts": {"0": -1}}), flush=True)
    elif what == "idles":
        while True:
            print(json.dumps({"counts": {"0": 0}}), flush=True)
    elif what == "one-too-many":
        print(json.dumps({"outputs": ["0"] * count}), flush=True)
        print(json.dumps("0"), flush=True)
    elif what == "ends-quietly":
        sys.exit(0)
