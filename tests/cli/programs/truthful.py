"""Answers specs/gallery/warner.json truthfully too often: with probability 4/5 in place of 3/4."""
import json
import random
import sys

for line in sys.stdin:
    request = json.loads(line)
    generator = random.Random(request["seed"])
    truth = request["input"][0]
    lie = "no" if truth == "yes" else "yes"
    print(json.dumps({"outputs": generator.choices([truth, lie], weights=[4, 1], k=request["count"])}), flush=True)
