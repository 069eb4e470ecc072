"""Word error rate after normalizing both sides, so that "30" and "thirty" are equal."""

import re

UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()  # fmt: skip
TENS = {word: 10 * (i + 2) for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())}
SMALL = {word: i for i, word in enumerate(UNITS)} | TENS
SCALES = {"hundred": 100, "thousand": 1000}
ORDINALS = {word: f"{i + 1}th" for i, word in enumerate("first second third fourth fifth sixth seventh eighth ninth tenth".split())}  # fmt: skip
SPELLINGS = {
    "mr": "mister", "centre": "center", "harbour": "harbor", "neighbour": "neighbor", "neighbour's": "neighbor's",
    "colours": "colors", "travelling": "traveling", "millimetres": "millimeters", "carriage": "carriage",
    "okay": "ok", "grey": "gray", "dr": "doctor", "o'clock": "oclock",
}  # fmt: skip


def words(text):
    text = text.lower().replace("’", "'")
    text = re.sub(r"\$([\d,.]*\d)( million| billion)?", r"\1\2 dollars", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text).replace("%", " percent ")
    found = [word.strip("'") for word in re.findall(r"(?:[^\W_]|')+", text)]
    found = [SPELLINGS.get(word, word) for word in found if word]
    return join_numbers([re.sub(r"^(\d+)(st|nd|rd|th)$", r"\1th", ORDINALS.get(word, word)) for word in found])


def join_numbers(found):
    """Number words become digits: "two hundred" → 200, "forty eight" → 48."""
    out, value, last = [], None, None
    for word in [*found, None]:
        if value is not None and word in SCALES:
            value, last = value * SCALES[word], "scale"
        elif value is not None and word in SMALL and (last == "scale" or (last == "tens" and 0 < SMALL[word] < 10)):
            value, last = value + SMALL[word], "tens" if word in TENS else "unit"
        else:
            if value is not None:
                out.append(str(value))
                value = None
            if word in SMALL:
                value, last = SMALL[word], "tens" if word in TENS else "unit"
            elif word is not None:
                out.append(word)
    return out


def errors(wanted, heard):
    """Least insertions, deletions and substitutions between two lists of words."""
    row = list(range(len(heard) + 1))
    for i, want in enumerate(wanted, 1):
        diagonal, row[0] = row[0], i
        for j, got in enumerate(heard, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (want != got))
    return row[-1]
