#!/usr/bin/env python3
"""Creates docs/examples/the-lantern-keeper.epub, the small book of the README's tour.

An EPUB 3 with three short chapters, a cover, a table of contents, a footnote and page numbers: what a reader should hear
and what not. The same bytes every time. Standard library only.
"""

import struct
import zipfile
import zlib
from pathlib import Path

TITLE, AUTHOR = "The Lantern Keeper", "The Lectern Project"
CHAPTERS = [
    (
        "One: The Lamp",
        [
            "Every evening, a little before the light went out of the water, Ines climbed the hundred and twelve steps to the lamp.",
            "She counted them under her breath, because her grandmother had counted them, and because the wind on the stairs was "
            "easier to bear with a number in one’s mouth.",
            "“You are late,” said the lamp.",
            "It said so every evening. It was an old lamp, and it had been wound by a clockmaker who liked company.",
        ],
    ),
    (
        "Two: The Letter",
        [
            "The letter came on the Thursday boat, between a sack of flour and a crate of indignant hens.",
            'It was addressed to the Keeper, Harbour Light, and it began: <em>Dear Sir</em>.<sup><a epub:type="noteref" href="#n1">1</a></sup>',
            "Ines read it twice. The Board regretted. The Board had considered. From the first of May a machine would light the "
            "harbour, at a saving of £340 a year.",
            '<span epub:type="pagebreak" id="p7" aria-label="7">7</span>“Well,” said the lamp, when she had told it. “Can it count?”',
        ],
    ),
    (
        "Three: The Fog",
        [
            "On the last night of April the fog came in so thick that the gulls walked.",
            "The machine had arrived that morning. It stood in the yard under a tarpaulin, waiting for a part.",
            "At ten past nine a ship’s bell sounded, much too near. Ines took the steps two at a time: fifty-six of them, she noticed, "
            "and the lamp was already burning.",
            "“You are early,” it said.",
        ],
    ),
]
NOTE = '<aside epub:type="footnote" id="n1"><p>The Board had never met a keeper who was not one.</p></aside>'
PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en-GB" xml:lang="en-GB">
<head><title>{title}</title></head>
<body>
{body}
</body>
</html>
"""
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles><rootfile full-path="book/package.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="en-GB">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">urn:uuid:5d1c1f0e-6a55-4b3c-9a52-1a3f6a7f0b11</dc:identifier>
    <dc:title>{title}</dc:title>
    <dc:creator>{author}</dc:creator>
    <dc:language>en-GB</dc:language>
    <meta property="dcterms:modified">2026-11-21T00:00:00Z</meta>
  </metadata>
  <manifest>
    <item id="nav" href="contents.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="cover" href="cover.png" media-type="image/png" properties="cover-image"/>
{items}
  </manifest>
  <spine>
{spine}
  </spine>
</package>
"""


def cover(width=320, height=480):
    """A night sky with a lamp in it, as a PNG."""

    def pixel(x, y):
        glow = max(0.0, 1 - ((x - width * 0.5) ** 2 + (y - height * 0.38) ** 2) ** 0.5 / (width * 0.42))
        tower = abs(x - width * 0.5) < 14 + (y - height * 0.42) * 0.12 and y > height * 0.42
        if tower:
            return (38, 34, 44)
        return (int(18 + 226 * glow), int(24 + 176 * glow), int(58 + 40 * glow))

    rows = b"".join(b"\0" + bytes(part for x in range(width) for part in pixel(x, y)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def chapter(number, title, paragraphs):
    body = [f'<section epub:type="chapter" id="c{number}">', f"<h1>{title}</h1>", *(f"<p>{text}</p>" for text in paragraphs)]
    body += [NOTE] if any("noteref" in text for text in paragraphs) else []
    return PAGE.format(title=title, body="\n".join([*body, "</section>"]))


def members():
    names = [f"chapter-{number}.xhtml" for number in range(1, len(CHAPTERS) + 1)]
    entries = "\n".join(f'<li><a href="{name}">{title}</a></li>' for name, (title, _) in zip(names, CHAPTERS))
    contents = f'<nav epub:type="toc"><h1>Contents</h1><ol>\n{entries}\n</ol></nav>'
    items = "\n".join(f'    <item id="c{i}" href="{name}" media-type="application/xhtml+xml"/>' for i, name in enumerate(names, 1))
    spine = "\n".join(f'    <itemref idref="c{i}"/>' for i in range(1, len(names) + 1))
    yield "mimetype", b"application/epub+zip"
    yield "META-INF/container.xml", CONTAINER.encode()
    yield "book/package.opf", PACKAGE.format(title=TITLE, author=AUTHOR, items=items, spine=spine).encode()
    yield "book/contents.xhtml", PAGE.format(title="Contents", body=contents).encode()
    yield "book/cover.png", cover()
    for number, (name, (title, paragraphs)) in enumerate(zip(names, CHAPTERS), 1):
        yield f"book/{name}", chapter(number, title, paragraphs).encode()


def main():
    path = Path(__file__).resolve().parent.parent / "docs/examples/the-lantern-keeper.epub"
    path.parent.mkdir(exist_ok=True)
    with zipfile.ZipFile(path, "w") as book:
        for name, content in members():
            member = zipfile.ZipInfo(name, (2026, 11, 21, 0, 0, 0))
            # The first member must be stored uncompressed, so that the kind is visible in the first
            # bytes.
            member.compress_type = zipfile.ZIP_STORED if name == "mimetype" else zipfile.ZIP_DEFLATED
            book.writestr(member, content)
    print(f"{path}: {path.stat().st_size} bytes")


if __name__ == "__main__":
    main()
