#!/usr/bin/env python3
"""Writes powers.c: the powers of ten to 128 bits, from exact integers. Run as: python3 powers.py > powers.c"""

LEAST, MOST = -342, 324

HEAD = """/*
 * The powers of ten to 128 bits, as powers.h says. Written by powers.py from exact integers; a test computes them anew.
 */
#include "powers.h"

/* clang-format off */
const okra_power okra_powers[OKRA_POWER_MOST - OKRA_POWER_LEAST + 1] = {"""


def power(n):
    """10^n = g 2^s, with g in [2^127, 2^128) rounded up."""
    if n >= 0:
        whole = 10**n
        drop = whole.bit_length() - 128
        return whole << -drop if drop <= 0 else -(-whole >> drop)
    whole = 10**-n
    return -(-(1 << (whole.bit_length() + 127)) // whole)


print(HEAD)
for n in range(LEAST, MOST + 1):
    g = power(n)
    assert g.bit_length() == 128
    print(f"    {{0x{g >> 64:016x}, 0x{g & (2**64 - 1):016x}}}, /* {n} */")
print("};\n/* clang-format on */")
