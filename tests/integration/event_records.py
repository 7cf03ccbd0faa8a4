"""Reads TensorBoard's event files without TensorFlow: frames, checksums and the few fields of the messages."""

import struct


def crc32c(data):
    """Bit by bit, as RFC 3720 defines it."""
    remainder = 0xFFFFFFFF
    for byte in data:
        remainder ^= byte
        for _ in range(8):
            remainder = remainder >> 1 ^ (0x82F63B78 if remainder & 1 else 0)
    return remainder ^ 0xFFFFFFFF


def masked(data):
    checksum = crc32c(data)
    return ((checksum >> 15 | checksum << 17) + 0xA282EAD8) & 0xFFFFFFFF


def messages(content):
    """The messages of a file; every frame must be whole and its checksums right."""
    place = 0
    while place < len(content):
        length, checksum = struct.unpack_from("<QI", content, place)
        assert checksum == masked(content[place:place + 8]), "checksum of a length"
        message = content[place + 12:place + 12 + length]
        assert struct.unpack_from("<I", content, place + 12 + length)[0] == masked(message), "checksum of a message"
        place += 16 + length
        yield message


def varint(data, place):
    number, shift = 0, 0
    while True:
        byte = data[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80:
            return number, place


def fields(data):
    """Number and value of each field of a protocol buffer."""
    place = 0
    while place < len(data):
        key, place = varint(data, place)
        kind = key & 7
        if kind == 0:
            value, place = varint(data, place)
        elif kind == 1:
            value, place = struct.unpack_from("<d", data, place)[0], place + 8
        elif kind == 2:
            length, place = varint(data, place)
            value, place = data[place:place + length], place + length
        else:
            assert kind == 5, kind
            value, place = struct.unpack_from("<f", data, place)[0], place + 4
        yield key >> 3, value


def scalars(path):
    """{tag: [(step, value), ...]} of an event file, in its order."""
    found = {}
    events = list(messages(path.read_bytes()))
    assert dict(fields(events[0]))[3] == b"brain.Event:2"
    for event in events[1:]:
        entries = dict(fields(event))
        for _, value in fields(entries[5]):
            scalar = dict(fields(value))
            found.setdefault(scalar[1].decode(), []).append((entries[2], scalar[2]))
    return found
