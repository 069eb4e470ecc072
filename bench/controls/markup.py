"""What markup costs: processor time of the service for the same words with and without it.

- *Synthesis*: each text plain and as SSML with `<p>`, `<s>`, `<w>` and `<mark>`, in turns, the order changing from round to
  round. The processor time of the service is read before and after each.
- *Handling alone*: the same requests for an e-reader that does not exist. Such a request is refused after its text was
  read, checked and counted, so nothing is spoken and little else is done.
"""

import re
from html import escape

from harness import core_seconds, median, table, texts

MOST = 0.02
NOBODY = "erd_019aa4f6c0de7000800000000000ffff"
REFUSALS = 50


def marked(text):
    """A paragraph with an element around each sentence and each word, and a mark before every fifth word."""
    sentences = re.findall(r"\S.*?[.!?][\"”’')]*(?=\s|$)|\S.+$", text, flags=re.DOTALL)
    number, parts = 0, []
    for sentence in sentences:
        words = []
        for word in sentence.split():
            # Punctuation stays outside.
            before, core, after = re.fullmatch(r"(\W*)(.*?)(\W*)", word, flags=re.DOTALL).groups()
            inner = f"<w>{escape(core, quote=False)}</w>" if core else ""
            mark = f'<mark name="m{number}"/>' if number % 5 == 0 else ""
            words.append(mark + escape(before, quote=False) + inner + escape(after, quote=False))
            number += 1
        parts.append(f"<s>{' '.join(words)}</s>")
    return f'<speak version="1.1" xml:lang="en-US"><p>{" ".join(parts)}</p></speak>'


def measure(bench):
    customer, pid = bench.customer, bench.service.process.pid
    spoken = [text for _, text in texts()][: bench.limit]
    documents = [marked(text) for text in spoken]

    def cost(ask):
        begun = core_seconds(pid)
        ask()
        return core_seconds(pid) - begun

    def speak(text, is_ssml):
        customer.stream(text, is_ssml=is_ssml)

    def refused(text, is_ssml):
        body = {"ereader_id": NOBODY, "text": text, "text_type": "ssml" if is_ssml else "text"}
        for _ in range(REFUSALS):
            customer.ask("POST", "/v1/saas/tts:synthesize", body, wanted=404)

    rounds = {False: [], True: []}
    for number in range(bench.rounds):
        spent = {False: 0.0, True: 0.0}
        for index, pair in enumerate(zip(spoken, documents)):
            for is_ssml in (False, True) if (number + index) % 2 else (True, False):
                spent[is_ssml] += cost(lambda: speak(pair[is_ssml], is_ssml))
        for is_ssml, seconds in spent.items():
            rounds[is_ssml].append(seconds)
    handled = {False: 0.0, True: 0.0}
    for pair in zip(spoken, documents):
        for is_ssml in (False, True):
            handled[is_ssml] += cost(lambda: refused(pair[is_ssml], is_ssml)) / REFUSALS
    plain = median(rounds[False])
    ratios = [with_markup / without - 1 for without, with_markup in zip(rounds[False], rounds[True])]
    handling = handled[True] - handled[False]
    characters = [sum(map(len, some)) for some in (spoken, documents)]
    rows = [
        ["plain, to samples", f"{characters[0]:,}", f"{plain:.3f}", ""],
        ["with markup, to samples", f"{characters[1]:,}", f"{median(rounds[True]):.3f}", f"{100 * median(ratios):+.2f} %"],
        ["plain, refused", "", f"{handled[False]:.4f}", ""],
        ["with markup, refused", "", f"{handled[True]:.4f}", ""],
        ["handling of markup alone", "", f"{handling:.4f}", f"{100 * handling / plain:+.2f} %"],
    ]
    title = f"Processor seconds of the service for {len(spoken)} paragraphs, median of {bench.rounds} rounds in turns"
    table(title, ["", "characters sent", "s", "of synthesis"], rows)
    bench.note("With markup against without, by round: " + ", ".join(f"{100 * ratio:+.1f} %" for ratio in ratios))
    bench.goal(
        "overhead of markup", "≤ 2 % of synthesis",
        f"{100 * median(ratios):+.2f} % (median of rounds); {100 * handling / plain:+.2f} % to read and check",
        median(ratios) <= MOST and handling / plain <= MOST,
    )  # fmt: skip
