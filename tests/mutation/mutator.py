"""Where a C source can be changed so that it means something else, and how.

Four kinds: a sign or an operation, a comparison or a condition, a constant, a statement left out.
Sites are found in the text, outside comments, strings, preprocessor lines and table texts; a change
that the compiler refuses, or that gives the same object code, is no mutant.
"""
import re
from collections import namedtuple

Mutant = namedtuple("Mutant", "path line kind start end text")  # text in place of [start, end)

BLANKED = re.compile(
    r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|[^\n])*',
    re.S | re.M)
TOKEN = re.compile(
    r"(?P<number>(?<![\w.])(?:0[xX][\da-fA-F.]+(?:[pP][+-]?\d+)?|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)[uUlLfF]*)"
    r"|(?P<operator>->|\+\+|--|<<=?|>>=?|[-+*/]=|[<>=!]=|&&|\|\||[-+*/<>])")
SIGNS = {"+": "-", "-": "+", "*": "/", "/": "*", "+=": "-=", "-=": "+=", "*=": "/=", "/=": "*="}
COMPARISONS = {"<": ("<=", ">="), "<=": ("<", ">"), ">": (">=", "<="), ">=": (">", "<"),
               "==": ("!=",), "!=": ("==",), "&&": ("||",), "||": ("&&",)}
STATEMENT = re.compile(
    r"^[ \t]+(?!return\b|break\b|continue\b|goto\b|else\b|case\b|default\b|typedef\b|extern\b|static\b|enum\b|struct\b)"
    r"(?:[\w.>\[\]*()&, +-]+?(?:[-+*/|&^]?=(?!=)|\+\+|--)[^;{}]*|[\w>.-]+\([^;{}]*\));[ \t]*$", re.M)


def blank(text):
    """The text with everything that is not code as spaces of the same length."""
    return BLANKED.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)


def is_operand_before(code, at):
    """Whether what stands before this place is a value, so that an operator here has two sides."""
    before = code[:at].rstrip()
    if re.search(r"\b(?:return|case)$", before):
        return False
    return bool(before) and (before[-1].isalnum() or before[-1] in "_)]")


def is_pointer(code, at):
    """A star that declares: `double *x`, `(type *)`, `const crm_law *law`."""
    left = re.search(r"(\w+)\s*$", code[:at])
    right = code[at + 1:at + 2]
    close = right in "*),>" or right.isalpha() or right == "_" or right == "("
    return left is not None and (right in "*)," or (code[at - 1] == " " and close and right != " "))


def another_number(text):
    """One more of a whole number, a tenth more of a real one; a tolerance, of which a tenth more means
    nothing, a thousand times."""
    body = text.rstrip("uUlLfF") if not text.lower().startswith("0x") else text
    suffix = text[len(body):]
    if re.fullmatch(r"\d+", body):
        return str(int(body) + 1) + suffix
    if text.lower().startswith("0x"):
        return None
    value = float(body)
    factor = 1.1 if 1e-4 < value < 1e4 else 1000
    return (repr(value * factor) if value != 0 else "1.0") + suffix


def of_operator(code, match):
    """(kind, what stands instead) for an operator."""
    text, at = match.group(), match.start()
    if text in COMPARISONS:
        return [("comparison", other) for other in COMPARISONS[text]]
    if text not in SIGNS:
        return []
    if text in "+-" and not is_operand_before(code, at):
        return [("sign", " ")] if text == "-" else []
    if text == "*" and (not is_operand_before(code, at) or is_pointer(code, at)):
        return []
    return [("sign", SIGNS[text])]


def mutants(path, text):
    """All mutants of a file, in the order of their places."""
    code = blank(text)
    line_of = lambda at: text.count("\n", 0, at) + 1
    found = []
    for match in TOKEN.finditer(code):
        if match.group("number"):
            other = another_number(match.group())
            changes = [("constant", other)] if other else []
        else:
            changes = of_operator(code, match)
        found += [Mutant(path, line_of(match.start()), kind, match.start(), match.end(), other)
                  for kind, other in changes]
    for match in STATEMENT.finditer(code):
        words = match.group().split()
        if len(words) > 1 and re.fullmatch(r"[A-Za-z_]\w*", words[0]) and re.match(r"[*A-Za-z_]", words[1]):
            continue  # a declaration
        start = match.start() + len(match.group()) - len(match.group().lstrip())
        found.append(Mutant(path, line_of(start), "statement", start, match.end(), ";"))
    return sorted(found, key=lambda m: (m.start, m.end, m.text))


def apply(mutant, text):
    """The mutated text; line numbers stay."""
    left_out = text[mutant.start:mutant.end].count("\n")
    return text[:mutant.start] + mutant.text + "\n" * left_out + text[mutant.end:]
