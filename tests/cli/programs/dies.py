"""Answers some requests, then fails."""
import json
import random
import sys

given = 0
for line in sys.stdin:
    request = json.loads(line)
    # The pilot and two blocks are 624,288 outputs.
    given += request["count"]
    if given > 700000:
        raise RuntimeError("no more answers")
    coin = random.Random(request["seed"])
    print(json.dumps({"outputs": coin.choices(["0", "1"], k=request["count"])}), flush=True)
