"""Unformatted ECLIPSE records, written down independently of the reader."""
import struct

CODES = {"INTE": ("i", 1000), "REAL": ("f", 1000), "DOUB": ("d", 1000), "CHAR": ("8s", 105)}


def block(data):
    mark = struct.pack(">i", len(data))
    return mark + data + mark


def array(keyword, kind, values):
    """An array in the blocks of its kind."""
    code, per_block = CODES[kind]
    if kind == "CHAR":
        values = [value.ljust(8).encode() for value in values]
    out = block(struct.pack(">8si4s", keyword.ljust(8).encode(), len(values), kind.encode()))
    for begin in range(0, len(values), per_block):
        out += block(b"".join(struct.pack(">" + code, value) for value in values[begin:begin + per_block]))
    return out


def integers(keyword, values):
    return array(keyword, "INTE", values)


def reals(keyword, values):
    return array(keyword, "REAL", values)


def doubles(keyword, values):
    return array(keyword, "DOUB", values)
