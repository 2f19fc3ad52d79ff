# SPDX-License-Identifier: Apache-2.0
"""Reads C++ just well enough for the invariants: blanks comments and literals, finds the conditions
of control flow and the arguments of calls. Pure functions on text; offsets and lines are kept."""

import re

_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<delimiter>[^()\\\s]{0,16})\(.*?\)(?P=delimiter)"'
    r'|"(?:\\.|[^"\\\n])*"'
    r"|(?<![0-9a-zA-Z_])'(?:\\.|[^'\\\n])*'",
    re.DOTALL)


def _blank(text):
    return re.sub(r'[^\n]', ' ', text)


def blank_comments(text):
    """The text with every comment blanked; literals stay."""
    return _TOKEN.sub(lambda m: _blank(m[0]) if m[0].startswith('/') else m[0], text)


def code_only(text):
    """The text with comments and the insides of literals blanked."""
    def replace(match):
        token = match[0]
        if token.startswith('/'):
            return _blank(token)
        return token[0] + _blank(token[1:-1]) + token[-1]
    return _TOKEN.sub(replace, text)


def line_of(text, offset):
    return text.count('\n', 0, offset) + 1


def balanced(text, opening):
    """The text between the parenthesis at `opening` and the one that closes it."""
    depth = 0
    for position in range(opening, len(text)):
        if text[position] == '(':
            depth += 1
        elif text[position] == ')':
            depth -= 1
            if depth == 0:
                return text[opening + 1:position]
    return text[opening + 1:]


def calls(code, names):
    """(offset, name, arguments) of each call of a free function among `names`; no members, no
    functions of another namespace, no declarations."""
    pattern = re.compile(r'(?<![\w.])(?<!->)(?<!\w::)(?:::)?(' + '|'.join(names) + r')\s*\(')
    for match in pattern.finditer(code):
        before = re.search(r'([\w>&*]+)\s+$', code[max(0, match.start() - 80):match.start()])
        keyword = before and before[1] in ('return', 'else', 'do', 'co_return', 'co_await', 'throw')
        if before and not keyword and re.search(r'[\w>&*]$', before[1]) and \
                not re.search(r'(?:&&)$', before[1]):
            continue
        yield match.start(), match[1], balanced(code, match.end() - 1)


def conditions(code):
    """(offset, text) of what decides control flow: if, while, for, switch, and what stands before
    the question mark of a conditional expression in its statement."""
    for match in re.finditer(r'\b(?:if(?:\s+constexpr)?|while|for|switch)\s*\(', code):
        yield match.start(), balanced(code, match.end() - 1)
    for match in re.finditer(r'\?', code):
        start = max(code.rfind(mark, 0, match.start()) for mark in ';{}') + 1
        yield match.start(), code[start:match.start()]


def includes(text):
    """(offset, path, quoted) of each #include."""
    pattern = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.MULTILINE)
    for match in pattern.finditer(blank_comments(text)):
        yield match.start(), match[2], match[1] == '"'
