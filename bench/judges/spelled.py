"""What two people would both write for the same words: numbers spelled out, units and titles in full, no case and no marks.

What was to be said and what was heard go through the same rules, so that "18 h 45" and "dix-huit heures quarante-cinq"
are equal. Forms that one number has for its gender ("un", "une") count as one, since a digit does not tell which is meant.
Chinese and Japanese are compared by character, Chinese in simplified characters.
"""

import re
import unicodedata
from functools import cache

from num2words import num2words

NAMES = {"pt": "pt_BR"}
COMMA = {"fr": "virgule", "it": "virgola", "es": "coma", "pt": "vírgula"}
# Between hour and minute of 18:45.
HOUR = {"fr": "heures", "it": "e", "es": "y", "pt": "e"}
CENTS = {"fr": "", "it": "e", "es": "con", "pt": "e"}
WORDS = {
    "fr": {
        "%": "pour cent", "€": "euros", "km/h": "kilomètres heure", "km": "kilomètres", "kg": "kilos", "kilogrammes": "kilos", "g": "grammes",
        "m": "mètres", "cm": "centimètres", "°c": "degrés", "°": "degrés", "mme": "madame", "mr": "monsieur", "dr": "docteur",
        "h": "heures", "min": "minutes", "une": "un", "celsius": "", "heure": "heures", "mètre": "mètres",
    },
    "it": {
        "%": "per cento", "€": "euro", "km/h": "chilometri orari", "km": "chilometri", "kg": "chili", "chilogrammi": "chili", "g": "grammi",
        "m": "metri", "cm": "centimetri", "°c": "gradi", "°": "gradi", "sig": "signor", "sig.ra": "signora", "dott": "dottor",
        "dott.ssa": "dottoressa", "percento": "per cento", "una": "un", "uno": "un", "celsius": "", "prof": "professor",
    },
    "es": {
        "%": "por ciento", "€": "euros", "km/h": "kilómetros por hora", "km": "kilómetros", "kg": "kilos", "kilogramos": "kilos", "g": "gramos",
        "m": "metros", "cm": "centímetros", "°c": "grados", "°": "grados", "sr": "señor", "sra": "señora", "dr": "doctor", "dra": "doctora",
        "una": "un", "uno": "un", "céntimos": "", "celsius": "", "veintiún": "veintiuno", "veintiuna": "veintiuno", "sólo": "solo",
    },
    "pt": {
        "%": "por cento", "€": "euros", "km/h": "quilômetros por hora", "km": "quilômetros", "kg": "quilos", "quilogramas": "quilos", "g": "gramas",
        "m": "metros", "cm": "centímetros", "°c": "graus", "°": "graus", "sr": "senhor", "sra": "senhora", "dr": "doutor", "dra": "doutora",
        "uma": "um", "duas": "dois", "quatorze": "catorze", "centavos": "", "celsius": "", "min": "minutos", "minutos": "", "cem": "cento",
    },
    "hi": {"%": "प्रतिशत", "₹": "रुपये"},
}  # fmt: skip
ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}


@cache
def number(value, language, to="cardinal"):
    return num2words(value, lang=NAMES.get(language, language), to=to).replace(",", "")


def ordinal(value, language):
    if language == "fr" and value == 1:
        return "premier"
    return number(value, language, "ordinal")


def roman(match, language):
    numeral = match["numeral"]
    value = 0
    for sign, following in zip(numeral, [*numeral[1:], None]):
        worth = ROMAN[sign]
        value += -worth if following and ROMAN[following] > worth else worth
    suffix = match.groupdict().get("suffix")
    if language == "fr":
        return ordinal(value, language) if suffix else number(value, language)
    if language == "it" or (value <= 10 and match["before"].rstrip().lower() not in ("século", "siglo", "capítulo")):
        return match["before"] + ordinal(value, language)
    return match["before"] + number(value, language)


def romans(text, language):
    """Spells Roman numerals. They are told from words by their capitals."""
    numerals = r"(?P<numeral>(?=[IVX])(?:X{0,3})(?:IX|IV|V?I{0,3}))"
    if language == "fr":
        text = re.sub(rf"\b{numerals}(?P<suffix>er|re|ère|e|ème)\b", lambda found: roman(found, language), text)
        return re.sub(r"\b(?P<numeral>(?:X{1,3}(?:IX|IV|V?I{0,3})|IX|IV|VI{0,3}|I{2,3}))\b", lambda found: roman(found, language), text)
    return re.sub(rf"(?P<before>\b\w+ ){numerals}(?=[ ,.;:?!]|$)(?<! [IVX])|(?P<none>$^)", lambda found: roman(found, language) if found["numeral"] else found[0], text)


def spelled(text, language):
    """A text of a Latin or Hindi script as words in lower case."""
    text = unicodedata.normalize("NFC", text).replace("’", "'").replace("\u202f", " ").replace("\u00a0", " ")
    if language != "hi":
        text = romans(text, language)
    if language == "fr":
        text = re.sub(r"\bM\. ?(?=[A-ZÉ])", "monsieur ", text)
    text = text.lower().replace("º", "°").replace("n°", "numéro ").replace("œ", "oe").replace("æ", "ae")
    if language == "hi":
        text = re.sub(r"(?<=\d),(?=\d)", "", text)
        return [WORDS["hi"].get(word, word) for word in re.findall(r"[\w\u0900-\u0963]+|%|₹", text)]
    text = re.sub(r"(?<=\d)(?=(?:kg|km|km/h|g|m|cm)\b(?! ?\d))", " ", text)
    text = grouped(text, language)
    text = times(text, language)
    text = amounts(text, language)
    text = ordinals(text, language)
    text = re.sub(r"(?:(?<=\s)|^)[-−–](?=\d)", {"fr": "moins ", "it": "meno ", "es": "menos ", "pt": "menos "}[language], text)
    text = re.sub(r"(\d+),(\d+)", lambda found: decimal(found, language), text)
    text = re.sub(r"\d+", lambda found: f" {digits(found[0], language)} ", text)
    words = []
    for word in re.findall(r"km/h|dott\.ssa|sig\.ra|°c|[^\W_]+|[%€°]", text):
        words += WORDS[language].get(word, word).split()
    return [folded(word, language) for word in words]


def grouped(text, language):
    """Joins the groups of large numbers: 75 000, 75.000."""
    # Telephone numbers are read in pairs, whatever stands between them.
    text = re.sub(r"\b0\d(?:[ .-]\d\d){4}\b", lambda found: re.sub(r"[.-]", " ", found[0]), text)
    text = re.sub(r"\b(\d{1,3}),(\d{3})\b(?!,)", r"\1.\2", text)
    marks = r"[ .]" if language == "fr" else r"\."
    for _ in range(3):
        text = re.sub(rf"(?<![\d,])(\d{{1,3}}(?:\d{{3}})*){marks}(?=\d{{3}}\b)(?!\d{{3}}[,]?\d{{4}})", r"\1", text)
    return text


def times(text, language):
    hour = HOUR[language]
    text = re.sub(r"\b(\d{1,2})[:.](\d{2})\b", lambda found: clock(found, hour), text)
    if language == "pt":
        text = re.sub(r"\b(\d{1,2}) ?h(?:oras?)?(?: e)? ?(\d{2})\b(?: ?min(?:utos)?)?", r"\1 e \2", text)
        return re.sub(r"\b(\d{1,2}) ?h\b", r"\1 horas", text)
    if language == "es":
        return re.sub(r"\by (cuarto|media)\b(?= en punto| de la|[ ,.]|$)", lambda found: "y 15" if found[1] == "cuarto" else "y 30", text)
    if language == "fr":
        text = re.sub(r"\b(\d{1,2}) ?h ?(\d{2})\b", r"\1 heures \2", text)
        return re.sub(r"\b(\d{1,2}) ?h\b", r"\1 heures", text)
    return text


def clock(found, hour):
    return f"{found[1]} {hour}" if found[2] == "00" and hour == "heures" else found[1] if found[2] == "00" else f"{found[1]} {hour} {found[2]}"


def amounts(text, language):
    """Heights and lengths: 1,85 m. Money: 149,90 €, R$ 149,90."""
    metre = {"fr": "mètre", "it": "metro", "es": "metro", "pt": "metro"}[language]
    one = r"(?:\b(?:un|uno|um)\b|1)"
    text = re.sub(rf"\b(\d),(\d\d) ?(?:m|{metre}s?|metri)\b|(?:{one}|\b(\d)) ?(?:m|{metre}) ?(?:e |y )?(\d\d)\b", lambda found: f"{found[1] or found[3] or 1} {metre} {found[2] or found[4]}", text)  # fmt: skip
    if language == "es":
        text = re.sub(r"\b1 metro (\d\d)\b", lambda found: f"un metro {number(int(found[1]), 'es')}", text)
    text = re.sub(r"r\$ ?(\d+),(\d\d)\b", r"\1 reais e \2", text)
    text = re.sub(r"r\$ ?(\d[\d.]*)", r"\1 reais", text)
    text = re.sub(r"(\d+),(\d\d) reais", r"\1 reais e \2", text)
    name = WORDS[language]["€"]
    text = re.sub(r"€ ?(\d+(?:,\d+)?)", r"\1 €", text)
    return re.sub(r"(\d+),(\d\d) ?(?:€|euros?)", rf"\1 {name} {CENTS[language]} \2", text)


def ordinals(text, language):
    spell = lambda found: " " + ordinal(int(found[1]), language) + " "  # noqa: E731
    months = {"fr": "janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre", "it": "gennaio|febbraio|marzo|aprile|maggio|giugno|luglio|agosto|settembre|ottobre|novembre|dicembre", "pt": "de (?:janeiro|fevereiro|março|abril|maio|junho|julho|agosto|setembro|outubro|novembro|dezembro)"}  # fmt: skip
    if language in months:
        text = re.sub(rf"\b1 (?={months[language]})", {"fr": "premier ", "it": "primo ", "pt": "primeiro "}[language], text)
    if language == "fr":
        text = re.sub(r"\b1(?:re|ère)\b", "première", text)
        return re.sub(r"\b(\d+) ?(?:er|ème|e|nd|nde)\b", spell, text)
    text = re.sub(r"\b(\d+)(?:°(?! ?c\b)(?! sotto)|e(?= secolo))", spell, text)
    return re.sub(r"\b(\d+)ª", lambda found: re.sub(r"o\b", "a", spell(found)), text)


def decimal(found, language):
    zeros = len(found[2]) - len(found[2].lstrip("0"))
    rest = " ".join([number(0, language)] * zeros + ([number(int(found[2]), language)] if found[2].strip("0") else []))
    return f"{number(int(found[1]), language)} {COMMA[language]} {rest}"


def digits(text, language):
    """A number; one that begins with a zero is a code, read with its zeros."""
    zeros = len(text) - len(text.lstrip("0")) if len(text) > 1 else 0
    spelled_zeros = [number(0, language)] * zeros
    return " ".join(spelled_zeros + ([number(int(text), language)] if text.strip("0") or not zeros else []))


def folded(word, language):
    if language == "pt":
        return re.sub(r"^(duz|trez|quatroc|quinh|seisc|setec|oitoc|novec)(.*)as$", r"\1\2os", word)
    if language == "es":
        return re.sub(r"^(dosc|tresc|cuatroc|quin|seisc|setec|ochoc|novec)(ient)as$", r"\1\2os", word)
    return word


def characters(text, language):
    """A Chinese or Japanese text as characters, digits spelled."""
    text = unicodedata.normalize("NFKC", text)
    if language == "zh":
        text = simplified(text)
        import cn2an

        text = re.sub(r"(\d{1,2}):(\d{2})", r"\1点\2分", text)
        text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
        text = cn2an.transform(text, "an2cn").replace("点三十分", "点半").replace("两", "二")
    else:
        text = numerals(text)
    return [c for c in text.lower() if c.isalnum() or c == "ー"]


def numerals(text):
    """A Japanese text with its figures as numerals in kanji."""
    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(\d{1,2}):(\d{2})", r"\1時\2分", text).replace("%", "パーセント")
    value = lambda digits: float(digits) if "." in digits else int(digits)  # noqa: E731
    return re.sub(r"\d+(?:\.\d+)?", lambda found: num2words(value(found[0]), lang="ja"), text)


@cache
def converter():
    from opencc import OpenCC

    return OpenCC("t2s")


def simplified(text):
    return converter().convert(text)


def pinyin(text):
    """The syllables of a Chinese text, without tones."""
    from pypinyin import Style, lazy_pinyin

    return lazy_pinyin("".join(characters(text, "zh")), style=Style.NORMAL)


def kana(text):
    """The reading of a Japanese text, character by character."""
    import pyopenjtalk

    text = unicodedata.normalize("NFKC", text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"(\d{1,2}):(\d{2})", r"\1時\2分", text)
    return [c for c in pyopenjtalk.g2p(text, kana=True) if c.isalpha() or c == "ー"]
