"""Sums over rows for every output of several steps: one transform, one step after another, from joint classes to joint
outputs. Its cost is that of the outputs, whatever the number of rows is.

Many sums are packed into one long integer, so that one multiplication of Python serves all of them. All numbers are
nonnegative integers, and no sum is rounded. `slot_bits` bounds every sum, so none runs into the next one.
"""
from operator import mul
from typing import Iterable, Iterator, Sequence

from ..report import require_feasible

MOST_BITS = 2**30  # of a table

Columns = Sequence[Sequence[Sequence[int]]]  # [step][output][class]


def slot_bits(total: int, columns: Columns) -> int:
    """The bits of every sum, a multiple of 8, if the numbers of all cells together are at most `total`.

    Each step multiplies by an entry, so the sum for an output is at most `total` times the largest entries of all steps.
    """
    bits = total.bit_length() + sum(max(max(column) for column in own).bit_length() for own in columns)
    return max(8, -(-bits // 8) * 8)


def packed(numbers: Iterable[int], bits: int) -> int:
    """The numbers in slots of so many bits, the first one lowest. Each must be below 2^bits."""
    result = 0
    for place, number in enumerate(numbers):
        result |= number << place * bits
    return result


def unpacked(data: bytes, bits: int) -> list[int]:
    size = bits // 8
    return [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data), size)]


def sums_by_output(cells: dict[int, int], slots: int, bits: int, columns: Columns) -> Iterator[bytes]:
    """cells: {joint class, the last step fastest: packed numbers}. For every output of the steps, the last step fastest:
    the sums over the cells of numbers x entries, packed."""
    count, size = 1, slots * bits // 8
    for own in columns:
        count *= len(own[0])
        require_feasible(count * size * 8 <= MOST_BITS, "the steps distinguish too many rows to be enumerated")
    nothing = bytes(size)
    data = b"".join(cells[cell].to_bytes(size, "little") if cell in cells else nothing for cell in range(count))
    return walk(data, columns, 0)


def walk(data: bytes, columns: Columns, depth: int) -> Iterator[bytes]:
    if depth == len(columns):
        yield data
        return
    size = len(data) // len(columns[depth][0])
    parts = [int.from_bytes(data[at:at + size], "little") for at in range(0, len(data), size)]
    for column in columns[depth]:
        yield from walk(sum(map(mul, column, parts)).to_bytes(size, "little"), columns, depth + 1)
