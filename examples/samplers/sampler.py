"""Randomized response for specs/gallery/warner.json, for `oddsbound audit`: a request a line, an answer a line."""
import json
import random
import sys

for line in sys.stdin:
    request = json.loads(line)  # {"input": ["yes"], "count": 1000, "seed": 7}
    generator = random.Random(request.get("seed"))
    truth = request["input"][0]
    lie = "no" if truth == "yes" else "yes"
    outputs = generator.choices([truth, lie], weights=[3, 1], k=request["count"])
    print(json.dumps({"outputs": outputs}), flush=True)
