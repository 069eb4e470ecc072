#!/usr/bin/env python3
"""Prints the phonemes of the Python package hibari-tts, one output line per input line.

Used by ./run as the peer; only the package's public interface is called. With --tokens it prints, for each line,
a tab-separated pair instead: the package's own tokens as JSON ([text, tag, space follows] each) and the phonemes it
gives them, so that pronouncing alone can be compared.
"""

import json
import sys


def main() -> None:
    lines = sys.stdin.read().split("\n")
    if lines and not lines[-1]:
        lines.pop()
    if "--tokens" in sys.argv:
        from hibari.g2p import G2P
        from hibari.g2p.normalize import normalize

        speak = G2P(british="--british" in sys.argv)
        for line in lines:
            line = normalize(line)
            tokens = [[token.text, token.tag, bool(token.whitespace)] for token in speak.tokenize(line)]
            print(json.dumps(tokens, ensure_ascii=False), speak(line, normalize_text=False), sep="\t")
        return
    from hibari import Hibari

    speak = Hibari()
    for line in lines:
        print(" ".join(speak.phonemize(line)))


if __name__ == "__main__":
    main()
