"""Single mutations of C text: which there are, and one of them drawn. A mutant is one line of one file, written differently."""

import random
import re
from typing import NamedTuple


class Mutant(NamedTuple):
    file: str
    line: int  # from 1
    kind: str
    original: str
    mutated: str

    def diff(self):
        return f"--- {self.file}:{self.line} ({self.kind})\n-{self.original}\n+{self.mutated}"


# ---- what is code ---------------------------------------------------------------------------------------------------

# In this order: a quote in a comment opens no string. What is matched by the last is left.
PARTS = re.compile(
    r"""(?P<comment>/\*.*?\*/|//[^\n]*)
      | (?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
      | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.S | re.M | re.X,
)


def code_of(text):
    """The text with everything that is not code blanked, every character in its place."""

    def blank(match):
        keep = "\n" if match.lastgroup != "string" else '"\n'
        return "".join(c if c in keep else " " for c in match.group())

    return PARTS.sub(blank, text)


# ---- operators: each yields (start, end, replacement) in a line -------------------------------------------------------

COMPARISONS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {"+": "-", "-": "+", "+=": "-=", "-=": "+="}


def comparison(code, previous):
    for match in re.finditer(r"(?<= )(<=|>=|==|!=|<|>)(?= )", code):
        yield *match.span(), COMPARISONS[match.group()]


def sign(code, previous):
    for match in re.finditer(r"(?<= )(\+=|-=|\+|-)(?= )", code):
        yield *match.span(), SIGNS[match.group()]
    for match in re.finditer(r"(?:(?<=[(\[{!])|(?<=[=,?:*/<>&|] )|(?<=return ))-(?=[\w(.])", code):
        yield *match.span(), "+"


NUMBER = re.compile(r"(?<![\w.\"])(0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)([uUlLfF]*)(?![\w.])")
ARRAY = re.compile(r"^\s*(?:static |const |unsigned )*[a-z_]\w* [^=();]*\[[^\]]*\][^=();]*(;|=|,)")


def constant(code, previous):
    # How long a piece of memory is at least, and columns of numbers, are left as they are.
    if re.search(r"\b(take|okra_block_take|malloc|calloc|realloc)\(", code) or not re.search(r"[A-Za-z]", re.sub(r"0[xX][0-9a-fA-F]+|[uUlL]+\b|\de", "", code)):
        return
    start = code.find("=") if ARRAY.match(code) else 0
    for match in NUMBER.finditer(code, start if start >= 0 else len(code)):
        number, suffix = match.groups()
        if re.match(r"0[xX]", number):
            new = hex(int(number, 16) + 1)
        elif number.isdigit():
            new = str(int(number) + 1)
        else:
            new = f"({number}{suffix} + 1)" if float(number) == 0 else f"({number}{suffix} * 1.5{suffix})"
            suffix = ""
        yield *match.span(), new + suffix


KEYWORDS = r"(return\b(?!;)|(case|default|goto|typedef|struct|static|enum|extern|const|for|if|while|else|do)\b)"
DECLARATION = re.compile(r"(?:unsigned |long )*[A-Za-z_]\w* (?:\*+(?:const )?)?[A-Za-z_]\w*(?: =|;|,|\[|\()|[A-Za-z_]\w* \(\*")


def statement(code, previous):
    """A statement that begins and ends on this line."""
    body = code.strip()
    if not body.endswith(";") or body == ";" or re.search("[{}]", body) or body.count("(") != body.count(")"):
        return
    if not re.search(r"([;{}):]|\belse)$", previous) or re.match(KEYWORDS, body) or DECLARATION.match(body):
        return
    start = code.index(body)
    yield start, start + len(body), ";"


def condition(code, previous):
    for match in re.finditer(r"\b(?:if|while) \(", code):
        depth, start = 1, match.end()
        for end in range(start, len(code)):
            depth += {"(": 1, ")": -1}.get(code[end], 0)
            if depth == 0:
                yield start, end, None
                break


OPERATORS = [comparison, sign, constant, statement, condition]


def mutants_of_line(file, number, line, code, previous):
    """{kind: [mutant, ..]}"""
    found = {}
    if code.lstrip().startswith("_Static_assert"):
        return found
    for operator in OPERATORS:
        for start, end, new in operator(code, previous):
            new = f"!({line[start:end]})" if new is None else new
            mutant = Mutant(file, number, operator.__name__, line, line[:start] + new + line[end:])
            found.setdefault(operator.__name__, []).append(mutant)
    return found


def mutants_of_file(file, text):
    """A list, with an entry for each line that can be mutated."""
    lines, found, previous = text.split("\n"), [], ";"
    for i, code in enumerate(code_of(text).split("\n")):
        code = code.rstrip()
        if not code:
            continue
        mutants = mutants_of_line(file, i + 1, lines[i], code, previous)
        if mutants:
            found.append(mutants)
        previous = code.rstrip()
    return found


def draw(lines, seed, room):
    """Mutants of a room without end, the same for the same seed: a line, a kind among those it has, a place."""
    source = random.Random(f"{seed} {room}")
    order = list(lines)
    source.shuffle(order)
    seen = set()
    while True:
        for line in order:
            mutant = source.choice(line[source.choice(sorted(line))])
            if mutant not in seen:
                seen.add(mutant)
                yield mutant
        if not seen:
            return
