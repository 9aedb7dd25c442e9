#!/usr/bin/python3
"""The program for WebAssembly as text for pages (src/report/page/browser/worker/unpack.js reads it):
playground/pack.py CAROM.wasm VERSION > solver.txt"""
import lzma
import sys

LITERAL_CONTEXT = 4
CHARACTERS = [chr(c) for c in range(33, 127) if chr(c) not in '"&<']
LINE = 8000


def as_text(data):
    """13 bits are two characters of 91, the lower digit first."""
    bits, count, text = 0, 0, []
    for byte in data + b"\0\0":
        bits |= byte << count
        count += 8
        if count >= 13:
            text.append(CHARACTERS[bits % 8192 % 91] + CHARACTERS[bits % 8192 // 91])
            bits >>= 13
            count -= 13
    return "".join(text)


def main(path, version):
    with open(path, "rb") as file:
        program = file.read()
    chain = [{"id": lzma.FILTER_LZMA1, "preset": 9 | lzma.PRESET_EXTREME, "lc": LITERAL_CONTEXT, "lp": 0, "pb": 0}]
    text = as_text(lzma.compress(program, format=lzma.FORMAT_RAW, filters=chain))
    print("carom", version, len(program), LITERAL_CONTEXT)
    for start in range(0, len(text), LINE):
        print(text[start:start + LINE])


main(*sys.argv[1:])
