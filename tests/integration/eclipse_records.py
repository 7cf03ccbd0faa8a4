"""Reads unformatted result files of ECLIPSE and OPM Flow without their libraries: big-endian Fortran records."""

import numpy as np

NUMBERS = {b"INTE": ">i4", b"REAL": ">f4", b"DOUB": ">f8", b"LOGI": ">i4"}


def blocks(path):
    """What stands between the lengths that frame each block."""
    content = path.read_bytes()
    place = 0
    while place < len(content):
        length = int.from_bytes(content[place:place + 4], "big")
        end = place + 4 + length
        assert content[end:end + 4] == content[place:place + 4], "lengths before and after a block differ"
        yield content[place + 4:end]
        place = end + 4


def records(path):
    """The arrays of a file by keyword, the first of each; texts are left out."""
    found = {}
    rest = blocks(path)
    for head in rest:
        keyword, count, kind = head[:8].decode().strip(), int.from_bytes(head[8:12], "big"), head[12:16]
        width = 8 if kind in (b"CHAR", b"DOUB") else 4
        data = b""
        while len(data) < count * width:
            data += next(rest)
        if kind in NUMBERS:
            found.setdefault(keyword, np.frombuffer(data, NUMBERS[kind]))
    return found
