#!/usr/bin/env python3
"""Compares two files of phonemes line by line: how many lines are identical, the phoneme error rate, what differs.

The phoneme error rate is the edit distance over the number of symbols of the peer's lines, spaces and stress marks
counted; several spaces count as one. `--details` prints every differing line with its sentence.
"""

import argparse
import collections
import difflib
import pathlib


def distance(one: str, other: str) -> int:
    """The Levenshtein distance."""
    row = list(range(len(other) + 1))
    for i, a in enumerate(one, 1):
        last, row[0] = row[0], i
        for j, b in enumerate(other, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (a != b))
    return row[-1]


def read(path: str) -> list[str]:
    return [" ".join(line.split()) for line in pathlib.Path(path).read_text().splitlines()]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sentences")
    parser.add_argument("peer")
    parser.add_argument("ours")
    parser.add_argument("--details", action="store_true")
    parser.add_argument("--at-least", type=float, default=0.0, help="fail below this percentage of identical lines")
    options = parser.parse_args()
    sentences, peer, ours = read(options.sentences), read(options.peer), read(options.ours)
    if not len(sentences) == len(peer) == len(ours):
        raise SystemExit(f"{len(sentences)} sentences, {len(peer)} lines of the peer, {len(ours)} of ours")
    same = sum(a == b for a, b in zip(peer, ours))
    wrong = sum(distance(a, b) for a, b in zip(peer, ours))
    symbols = sum(map(len, peer))
    percent = 100 * same / len(sentences)
    print(f"identical sentences   {same} of {len(sentences)} ({percent:.1f} %)")
    print(f"phoneme error rate    {100 * wrong / symbols:.2f} % ({wrong} of {symbols} symbols)")
    kinds: collections.Counter[tuple[str, str]] = collections.Counter()
    for a, b in zip(peer, ours):
        a_words, b_words = a.split(), b.split()
        matcher = difflib.SequenceMatcher(None, a_words, b_words, autojunk=False)
        for kind, i, j, k, l in matcher.get_opcodes():
            if kind != "equal":
                kinds[" ".join(a_words[i:j]), " ".join(b_words[k:l])] += 1
    for (a, b), count in kinds.most_common():
        print(f"{count:4} ×  {a or '(nothing)':28} here: {b or '(nothing)'}")
    if options.details:
        for sentence, a, b in zip(sentences, peer, ours):
            if a != b:
                print(f"\n{sentence}\n  peer {a}\n  ours {b}")
    if percent < options.at_least:
        raise SystemExit(f"below {options.at_least} %")


if __name__ == "__main__":
    main()
