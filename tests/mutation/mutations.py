# SPDX-License-Identifier: MIT
"""Which small mutations there are of a C source text.

A text is cut into tokens, not parsed: what an operator is follows from the
tokens beside it and, where that is not enough, from the blanks that
clang-format puts around it.  What is no C after all is found by the compiler.
"""
import re
from dataclasses import dataclass

TOKEN = re.compile(r"""
    (?P<comment>  /\*.*?\*/ | //[^\n]* )
  | (?P<directive> ^\#\s*define\s+\w+(?:\([^)]*\))?
                 | ^\#(?:[^\n\\]|\\.)* )
  | (?P<string>   "(?:[^"\\]|\\.)*" | '(?:[^'\\]|\\.)*' )
  | (?P<number>   (?: 0[xX][\da-fA-F]*(?:\.[\da-fA-F]*)?(?:[pP][-+]?\d+)?
                    | \d+(?:\.\d*)?(?:[eE][-+]?\d+)? ) [uUlLfF]* )
  | (?P<word>     \w+ )
  | (?P<sign>     <<= | >>= | -> | \+\+ | -- | << | >> | [-+*/%&|^<>=!]=
                  | && | \|\| | \S )
""", re.X | re.S | re.M)

# One binary operator for another.
OPERATORS = {
    "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"],
    "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["*"],
    "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"], ">>": ["<<"],
    "+=": ["-="], "-=": ["+="], "*=": ["/="], "/=": ["*="],
    "&=": ["|="], "|=": ["&="], "^=": ["|="], "<<=": [">>="], ">>=": ["<<="],
}
STEPS = {"++": "--", "--": "++"}
WORDS = {"true": "false", "false": "true",
         "break": "continue", "continue": "break"}
CLOSING = {"(": ")", "[": "]", "{": "}"}
# What no expression begins with, and what no function's name is.
NO_EXPRESSION = {"if", "else", "for", "while", "do", "switch", "case",
                 "default", "goto", "return", "struct", "union", "enum",
                 "const", "static", "typedef"}
NO_CALL = NO_EXPRESSION | {"sizeof", "__attribute__"}
# Where a swap of arguments changes nothing.
COMMUTE = {"calloc", "strcmp", "memcmp"}


@dataclass(frozen=True)
class Mutation:
    """text[start:end] becomes new."""
    path: str
    function: str
    start: int
    end: int
    new: str
    line: int
    before: str  # the lines it is on, blanks made one
    after: str


class Source:
    """A text, its tokens, and which brackets belong together."""

    def __init__(self, path, text):
        self.path, self.text = path, text
        self.tokens = [m for m in TOKEN.finditer(text)
                       if m.lastgroup != "comment"]
        self.words = [m.group() for m in self.tokens]
        self.kinds = [m.lastgroup for m in self.tokens]
        self.partner, self.around = self.match_brackets()
        self.function = self.find_functions()

    def match_brackets(self):
        """The other bracket of each, and which bracket each token is in."""
        partner, around, open_ones = {}, [], []
        for i, word in enumerate(self.words):
            if open_ones and word == CLOSING[self.words[open_ones[-1]]]:
                partner[i] = open_ones.pop()
                partner[partner[i]] = i
            around.append(self.words[open_ones[-1]] if open_ones else "")
            if word in CLOSING:
                open_ones.append(i)
        return partner, around

    def find_functions(self):
        """For each token the function it is in, or ''."""
        names, i = [""] * len(self.words), 0
        while i < len(self.words):
            if self.words[i] != "{" or i not in self.partner:
                i += 1
                continue
            end = self.partner[i]
            if self.words[i - 1] == ")" and i - 1 in self.partner:
                name = self.partner[i - 1] - 1
                if self.words[name] == ")":  # NAME(function)(...)
                    name -= 1
                names[i:end] = [self.words[name]] * (end - i)
            i = end + 1
        return names

    def is_spaced(self, i):
        """Blanks on either side?  So stand binary operators."""
        start, end = self.tokens[i].span()
        return (self.text[start - 1].isspace() and
                self.text[end:end + 1].isspace())

    def inner(self, i, j):
        """The text of the tokens i to j, and where it is."""
        start, end = self.tokens[i].start(), self.tokens[j].end()
        return start, end, self.text[start:end]

    def top_level(self, i, end):
        """The tokens from i up to end that are in no brackets."""
        while i < end:
            yield i
            i = self.partner.get(i, i) if self.words[i] in CLOSING else i
            i += 1

    def mutation(self, i, j, new):
        """The tokens i to j become new."""
        start, end, _ = self.inner(i, j)
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end)
        before = self.text[first:last]
        after = self.text[first:start] + new + self.text[end:last]
        return Mutation(self.path, self.function[i], start, end, new,
                        self.text.count("\n", 0, start) + 1,
                        " ".join(before.split()), " ".join(after.split()))


def other_numbers(word):
    """One more and one less."""
    digits = word.rstrip("uUlL")
    if re.fullmatch(r"\d+|0[xX][\da-fA-F]+", digits):
        value, form = int(digits, 0), "#x" if digits[1:2] in "xX" else "d"
        if digits == "0" or digits[1:2] == "":
            form = "d"
        return [format(n, form) + word[len(digits):]
                for n in (value + 1, value - 1) if n >= 0]
    return [f"({word} + 1)", f"({word} - 1)"]


def of_tokens(src):
    """Operators, numbers and words, one for another."""
    for i, (kind, word) in enumerate(zip(src.kinds, src.words)):
        if kind == "number":
            for new in other_numbers(word):
                yield src.mutation(i, i, new)
        elif kind == "word" and word in WORDS:
            yield src.mutation(i, i, WORDS[word])
        elif kind == "sign" and word in OPERATORS and src.is_spaced(i):
            for new in OPERATORS[word]:
                yield src.mutation(i, i, new)
        elif kind == "sign" and word in STEPS:
            yield src.mutation(i, i, STEPS[word])
        elif word in ("!", "~", "-") and not src.is_spaced(i):
            yield src.mutation(i, i, "")


def of_conditions(src):
    """if, while and the middle of for, negated."""
    for i, word in enumerate(src.words):
        if word not in ("if", "while", "for") or i + 1 not in src.partner:
            continue
        first, last = i + 2, src.partner[i + 1] - 1
        if word == "for":
            stops = [j for j in src.top_level(first, last + 1)
                     if src.words[j] == ";"]
            if len(stops) != 2 or stops[0] + 1 == stops[1]:
                continue
            first, last = stops[0] + 1, stops[1] - 1
        yield src.mutation(first, last, f"!({src.inner(first, last)[2]})")


def of_ternaries(src):
    """The arms of ?: swapped."""
    for i, word in enumerate(src.words):
        if word != "?":
            continue
        depth, colon = 0, None
        for j in src.top_level(i + 1, len(src.words)):
            if src.words[j] == "?" and colon is None:
                depth += 1
            elif src.words[j] == ":" and colon is None and depth > 0:
                depth -= 1
            elif src.words[j] == ":" and colon is None:
                colon = j
            elif src.words[j] in {",", ";", ")", "]", "}"}:
                break
        if colon is None:
            continue
        one, other = src.inner(i + 1, colon - 1)[2], src.inner(
            colon + 1, j - 1)[2]
        yield src.mutation(i + 1, j - 1, f"{other} : {one}")


def begins_statement(src, i):
    """Does token i, in a function, begin a statement that is no block?"""
    if not src.function[i] or src.around[i] != "{":
        return False
    if src.words[i - 1] == ")":
        return src.words[src.partner.get(i - 1, 0) - 1] in (
            "if", "for", "while")
    return src.words[i - 1] in (";", "{", "}", "else")


def is_expression(src, i):
    """Of the two, a declaration and an expression, is the statement this?"""
    if src.words[i] in NO_EXPRESSION:
        return False
    if src.kinds[i] != "word":
        return src.words[i] in ("++", "--", "*", "(")
    return src.kinds[i + 1] != "word" and (
        src.words[i + 1] != "*" or src.is_spaced(i + 1))


def of_statements(src):
    """Expressions, break and continue that are statements, deleted."""
    for i in range(len(src.words)):
        if not begins_statement(src, i) or not is_expression(src, i):
            continue
        end = next((j for j in src.top_level(i, len(src.words))
                    if src.words[j] in (";", "}")), i)
        if src.words[end] == ";" and end > i:
            yield src.mutation(i, end, ";")


def of_returns(src):
    """What is returned: its opposite, nothing, or one more."""
    for i, word in enumerate(src.words):
        if word != "return" or not src.function[i] or src.words[i + 1] == ";":
            continue
        end = next(j for j in src.top_level(i + 1, len(src.words))
                   if src.words[j] == ";")
        value = src.inner(i + 1, end - 1)[2]
        if value in WORDS or src.kinds[i + 1] == "number" and end == i + 2:
            continue  # see of_tokens()
        kind = return_type(src, i)
        if "bool" in kind:
            yield src.mutation(i + 1, end - 1, f"!({value})")
        elif "*" in kind:
            yield src.mutation(i + 1, end - 1, "NULL")
        else:
            yield src.mutation(i + 1, end - 1, f"({value}) + 1")


def return_type(src, i):
    """The words before the name of the function that token i is in."""
    while src.function[i - 1]:
        i -= 1
    name = src.partner[i - 1] - 1
    start = name
    while start > 0 and src.words[start - 1] not in (";", "}") and \
            src.kinds[start - 1] != "directive":
        start -= 1
    return src.words[start:name]


def of_calls(src):
    """Two arguments that follow each other, swapped."""
    for i, word in enumerate(src.words[:-1]):
        if src.kinds[i] != "word" or word in NO_CALL | COMMUTE or \
                src.words[i + 1] != "(" or i + 1 not in src.partner or \
                not src.function[i]:
            continue
        end = src.partner[i + 1]
        stops = [i + 1] + [j for j in src.top_level(i + 2, end)
                           if src.words[j] == ","] + [end]
        for left, comma, right in zip(stops, stops[1:], stops[2:]):
            one = src.inner(left + 1, comma - 1)[2]
            other = src.inner(comma + 1, right - 1)[2]
            yield src.mutation(left + 1, right - 1, f"{other}, {one}")


KINDS = [of_tokens, of_conditions, of_ternaries, of_statements, of_returns,
         of_calls]


def all_of(path, text):
    """Each mutation of a text, once, in the order of the text."""
    src = Source(path, text)
    found = {(m.start, m.end, m.new): m for kind in KINDS for m in kind(src)
             if m.before != m.after}
    return [found[key] for key in sorted(found)]
