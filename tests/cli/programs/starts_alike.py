"""Gives the same answer to input 0 always, and random answers to input 1 from a generator that starts the same in
every process."""
import json
import random
import sys

generator = random.Random(7)
for line in sys.stdin:
    request = json.loads(line)
    fixed = request["input"] == ["0"]
    outputs = ["0" if fixed else str(generator.randrange(4)) for _ in range(request["count"])]
    print(json.dumps({"outputs": outputs}), flush=True)
