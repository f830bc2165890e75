"""Writes python.jsonl, what Python's re makes of the table of rules:

    /usr/bin/python3 python.py <secret-rules.v1.json >python.jsonl      (by Python 3.11)

A line is a text, and by rule the bytes that
match in it. Where re.ASCII says something else, because \\b and \\s know the letters and
blanks of Unicode without it, that stands beside it. There is no \\v in the texts: it is
white space in Python, and not in RE2.
"""

import json
import random
import re
import sys

FRAGMENTS = """AKIA ASIA ABCDEFGHIJKLMNOP gh ghp_ gho_ sk- proj- xoxb- xoxp- AIza sk_live_ pk_test_ sk_
-----BEGIN PRIVATE KEY ----- RSA eyJ eyJAAAAAAAAAA .eyJAAAAAAAAAA .AAAAAAAAAA eyJAAAAAAAAAA.eyJAAAAAAAAAA.
bearer Bearer BEARER access refresh signature sig api key KEY secret token password passwd client session
= : & ; , . / _ - + ~ # ? ( ) " ' \\ a Z 7 @ home Users abcdef""".split()
FRAGMENTS += [" ", " ", "  ", "\t", "\n", "\r\n", "\f", "-----BEGIN ", "PRIVATE KEY-----", "RSA ", "a" * 24, "Z9" * 18, "b-7_c" * 7]
OTHERS = ["\u00e9", "\u5f20", "\u0130", "\u017f", "\u212a", "to\u212aen", "\u00a0", "\u2003", "\U0001f600"]


def spans(pattern, text, flags):
    return [[len(text[: at].encode()) for at in m.span()] for m in re.finditer(pattern, text, flags)]


def main():
    rules = {rule["name"]: rule["pattern"] for rule in json.load(sys.stdin)["rules"]}
    draw = random.Random(14)
    kept = dict.fromkeys(rules, 0)
    for n in range(60000):
        fragments = FRAGMENTS if n % 3 else FRAGMENTS + OTHERS * 2
        text = "".join(draw.choice(fragments) for _ in range(draw.randint(2, 12)))
        python, ascii_only, wanted = {}, {}, n % 600 == 0
        for name, pattern in rules.items():
            found, plain = spans(pattern, text, 0), spans(pattern, text, re.ASCII)
            if found:
                python[name] = found
            if found != plain:
                ascii_only[name] = plain
            if (found or plain) and kept[name] < 40:
                kept[name] += 1
                wanted = True
        if wanted:
            line = {"in": text, "python": python}
            if ascii_only:
                line["ascii"] = ascii_only
            print(json.dumps(line))


main()
