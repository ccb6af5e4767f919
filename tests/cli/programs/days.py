"""A hundred answers by randomized response for specs/large/hundred-days.json, one request per line. With `leaks`, the
answer for day 50 is nearly always true."""
import json
import math
import random
import sys

LEAKING = 49 if sys.argv[1:] == ["leaks"] else None
TRUTHFUL = math.e / (1 + math.e)
OTHER = {"no": "yes", "yes": "no"}

for line in sys.stdin:
    request = json.loads(line)
    generator = random.Random(request["seed"])
    outputs = []
    for _ in range(request["count"]):
        outputs.append([value if generator.random() < (0.95 if i == LEAKING else TRUTHFUL) else OTHER[value]
                        for i, value in enumerate(request["input"])])
    print(json.dumps({"outputs": outputs}), flush=True)
