"""Answers input 0 always alike and input 1 at random, from a generator that begins the same in every process."""
import json
import random
import sys

generator = random.Random(7)
for line in sys.stdin:
    request = json.loads(line)
    fixed = request["input"] == ["0"]
    outputs = ["0" if fixed else str(generator.randrange(4)) for _ in range(request["count"])]
    print(json.dumps({"outputs": outputs}), flush=True)
