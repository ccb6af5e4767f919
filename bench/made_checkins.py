"""Check-ins of nobody, in the format that checkins.py reads: users who stay near one of 60 cities that do not exist, of sizes as
Zipf's, some of them on the road, some of them abroad. The same on every machine.

    python3 bench/made_checkins.py 200000 > made.txt
"""
import datetime
import random
import sys

CITIES, ON_THE_ROAD, ABROAD = 60, 0.05, 0.03
FIRST_DAY = datetime.datetime(2009, 2, 1)


def main(lines):
    draw = random.Random(7)
    cities = [(draw.uniform(26, 49), draw.uniform(-124, -67), draw.uniform(0.1, 0.5)) for _ in range(CITIES)]
    weights = [1 / (rank + 1) for rank in range(CITIES)]
    homes = {}
    for _ in range(lines):
        user = int(draw.paretovariate(0.8)) % 100_000  # few users have many check-ins
        if user not in homes:
            homes[user] = draw.choices(cities, weights)[0]
        north, east, spread = homes[user]
        kind = draw.random()
        if kind < ABROAD:
            north, east = draw.uniform(36, 60), draw.uniform(-9, 30)
        elif kind < ABROAD + ON_THE_ROAD:
            north, east = draw.uniform(25, 50), draw.uniform(-130, -60)
        else:
            north, east = draw.gauss(north, spread), draw.gauss(east, spread)
        time = FIRST_DAY + datetime.timedelta(seconds=draw.randrange(600 * 86_400))
        location = f"{int((north + 90) * 500)}{int((east + 180) * 500):06}"
        print(f"{user}\t{time:%Y-%m-%dT%H:%M:%SZ}\t{north:.10f}\t{east:.10f}\t{location}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(int(sys.argv[1]))
