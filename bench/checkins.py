"""Check-ins in the format of SNAP's Gowalla data as a table of places, for location_experiment.

    python3 bench/checkins.py loc-gowalla_totalCheckins.txt > places.csv

A line has, between tabs, a user, the time of the check-in, latitude, longitude and a location's id:

    7	2009-04-21T08:20:50Z	42.9763106454	-107.6196990105	66488

As in the context-aware LDP paper, Section 7, those from 25 N to 50 N and from 130 W to 60 W are kept, and places are squares of
0.2 degrees: 125 x 350 of them, rows from the south and columns from the west. Written are those that anybody was at.
"""
import collections
import datetime
import sys
from decimal import Decimal, InvalidOperation

SOUTH, NORTH, WEST, EAST, PARTS = 25, 50, -130, -60, 5  # PARTS squares per degree
ROWS, COLUMNS = (NORTH - SOUTH) * PARTS, (EAST - WEST) * PARTS
FIELDS = ["a user", "a time", "a latitude", "a longitude", "a location's id"]


def degrees(text, what):
    """Any finite number as a Decimal: values beyond the Earth lie outside the area like other places."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        number = Decimal("nan")
    if not number.is_finite():
        raise ValueError(f"found '{text}', expected {what} in degrees")
    return number


def place_of(line):
    """Returns (row, column) of a check-in, or None outside the area. Raises ValueError if the line is no check-in."""
    fields = line.split("\t")
    if len(fields) != len(FIELDS):
        raise ValueError(f"found {len(fields)} fields between tabs, expected {len(FIELDS)}: {', '.join(FIELDS)}")
    user, time, latitude, longitude, location = fields
    if not user.isdecimal():
        raise ValueError(f"found '{user}', expected a user's number")
    try:
        datetime.datetime.strptime(time, "%Y-%m-%dT%H:%M:%SZ")
    except ValueError:
        raise ValueError(f"found '{time}', expected a time as 2010-10-19T23:55:27Z") from None
    north, east = degrees(latitude, "a latitude"), degrees(longitude, "a longitude")
    if not location.strip():
        raise ValueError("the location's id is empty")
    if not (SOUTH <= north <= NORTH and WEST <= east <= EAST):
        return None
    # The northern and eastern borders belong to the last squares.
    return min(int((north - SOUTH) * PARTS), ROWS - 1), min(int((east - WEST) * PARTS), COLUMNS - 1)


def read(path):
    """Returns ({place: check-ins}, number of check-ins outside the area)."""
    places, elsewhere = collections.Counter(), 0
    with open(path, encoding="utf-8", newline="\n") as file:
        for number, line in enumerate(file, 1):
            try:
                place = place_of(line.rstrip("\r\n"))
            except ValueError as error:
                sys.exit(f"error: {path}:{number}: {error}")
            if place is None:
                elsewhere += 1
            else:
                places[place] += 1
    if not places:
        sys.exit(f"error: {path}: no check-in from {SOUTH} N to {NORTH} N and {-WEST} W to {-EAST} W")
    return places, elsewhere


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    places, elsewhere = read(sys.argv[1])
    sys.stderr.write(f"{sum(places.values())} check-ins at {len(places)} places, {elsewhere} elsewhere\n")
    print("row,column,checkins")
    for (row, column), count in sorted(places.items()):
        print(f"{row},{column},{count}")


if __name__ == "__main__":
    main()
