"""Answers some requests, then fails."""
import json
import random
import sys

for number, line in enumerate(sys.stdin):
    if number == 8:
        raise RuntimeError("no more answers")
    request = json.loads(line)
    coin = random.Random(request["seed"])
    print(json.dumps({"outputs": coin.choices(["0", "1"], k=request["count"])}), flush=True)
