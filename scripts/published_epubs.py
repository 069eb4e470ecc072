#!/usr/bin/env python3
"""Has the service make EPUBs of small documents of several kinds, by word and by sentence, and of an EPUB whose metadata,
cover, title of a chapter and text were changed; runs EPUBCheck over them.

usage: published_epubs.py LECTERN

Starts LECTERN on free ports with a store of its own and the real voice. Exits 1 when an EPUB has an error that its source
does not have, has no overlays, or does not say what was changed. Needs Java and the packages of scripts/test_requirements.txt.
"""

# Negative controls, each seen to fail: with the reference to the package taken as a file's name (the book was made from
# scratch), with `span` allowed inside `time`, and with the program of before changes replaced what the source says and
# documents that are left out went.

import pathlib
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import epub_fixtures
import sample_book
from books_in_languages import Service, wait_for
from epub_check import Checker


def published(service, path, folder):
    """Converts a document; returns the paths of its EPUBs by word and by sentence."""
    material = f"/materials/{service.upload(path)['id']}"
    found = wait_for(lambda: service.get(material), lambda found: found["status"] != "processing", path.name, every_s=0.1)
    if found["status"] == "failed":
        sys.exit(f"{path.name} cannot be read: {found}")
    ereaders = {one["slug"]: one["id"] for one in service.get("/ereaders")["data"]}
    service.ask("POST", f"{material}/convert", {"ereader_id": ereaders["heart"], "language": "en-US"})
    wait_for(lambda: service.get(material), lambda found: found["status"] == "completed", path.name, every_s=0.1)
    made = []
    for granularity in ("word", "sentence"):
        url = f"{material}/audio?format=epub&granularity={granularity}"
        epub = wait_for(lambda: service.ask("GET", url), lambda found: found.startswith(b"PK"), path.name, every_s=0.1)
        made.append(folder / f"{path.name}-{granularity}.epub")
        made[-1].write_bytes(epub)
    if path.name == "hard.epub":
        made += changed(service, material, folder, ereaders["heart"])
    return made


CHANGES = {
    "title": "A New Title", "author": "A. Nother", "publisher": "New House", "year": 2026, "description": "About it.",
    "series": "New Series", "series_index": 2, "isbn": "9780306406157",
    "copyright": "© 2026 A. Nother",
}


def changed(service, material, folder, ereader):
    """The EPUBs after changes of what the book says, and then of a text."""
    service.ask("PATCH", material, CHANGES)
    service.ask("PUT", f"{material}/cover", sample_book.cover(30, 50), "image/png")
    chapters = [one for one in service.get(f"{material}/chapters")["data"] if one["included"]]
    service.ask("PATCH", f"{material}/chapters/{chapters[-1]['index']}", {"title": "A New Chapter"})
    url = f"{material}/audio?format=epub"
    made = []
    for name in ("kept-changed.epub", "edited.epub"):
        epub = wait_for(lambda: service.ask("GET", url), lambda found: found.startswith(b"PK"), name, every_s=0.1)
        made.append(folder / name)
        made[-1].write_bytes(epub)
        if name == "kept-changed.epub":
            index = chapters[-1]["chunk_indexes"][-1]
            service.ask("PUT", f"{material}/chunks/{index}/text", b"Nobody wrote this sentence before.", "text/plain")
            service.ask("POST", f"{material}/convert", {"ereader_id": ereader})
            wait_for(lambda: service.get(material), lambda found: found["status"] == "completed", name, every_s=0.1)
    return made


def unsaid(path):
    """What an EPUB of a changed book lacks, as lines."""
    archive = zipfile.ZipFile(path)
    texts = {name: archive.read(name).decode() for name in archive.namelist() if name.endswith((".opf", ".xhtml", ".ncx"))}
    package = next(text for name, text in texts.items() if name.endswith(".opf"))
    wanted = [CHANGES[name] for name in ("title", "author", "publisher", "description", "series", "isbn", "copyright")] + [">2026<", ">2<"]
    lacking = [f"the package lacks {text}" for text in wanted if text not in package]
    lists = [text for name, text in texts.items() if name.endswith((".ncx", "nav.xhtml"))]
    lacking += [] if all("A New Chapter" in text for text in lists) else ["a list of contents has an old title"]
    lacking += [] if any(archive.read(name) == sample_book.cover(30, 50) for name in archive.namelist()) else ["the cover is old"]
    if path.name == "edited.epub" and not any("Nobody wrote this sentence" in text for text in texts.values()):
        lacking.append("the text is old")
    return lacking


def left_out(path):
    """What is wrong with the documents of chapters that are not in the book, as lines."""
    archive = zipfile.ZipFile(path)
    package, nav = archive.read("OEBPS/my book.opf").decode(), archive.read("OEBPS/nav.xhtml").decode()
    wrong = [] if "OEBPS/text/imprint.xhtml" not in archive.namelist() else ["the imprint is in it"]
    wrong += [] if 'linear="no"' in package and "OEBPS/text/credits.xhtml" in archive.namelist() else ["the credits are read or gone"]
    return wrong + [f"{name} is in the contents" for name in ("imprint", "credits") if name in nav]


def main():
    binary = pathlib.Path(sys.argv[1]).resolve()
    failed = 0
    with tempfile.TemporaryDirectory(prefix="lectern-epubs.") as folder, ThreadPoolExecutor() as pool:
        folder = pathlib.Path(folder)
        checking = pool.submit(Checker, are_small=True)
        service = Service(binary, folder)
        try:
            sources = []
            for name, content in epub_fixtures.documents().items():
                sources.append(folder / name)
                sources[-1].write_bytes(content)
            books = list(pool.map(lambda path: published(service, path, folder), sources))
        finally:
            service.close()
        checker = checking.result()
        for source, made in zip(sources, books):
            for path in made:
                wrong = checker.new_errors(path, source if source.suffix == ".epub" else None)
                names = zipfile.ZipFile(path).namelist()
                wrong += [] if any(name.endswith(".smil") for name in names) else ["it has no overlays"]
                # A kept source still has its own files.
                wrong += [] if source.name != "hard.epub" or path.name == "edited.epub" or "OEBPS/text/two.xhtml" in names else ["it was made from scratch"]
                wrong += unsaid(path) if path.name in ("kept-changed.epub", "edited.epub") else []
                wrong += left_out(path) if source.name == "hard.epub" and path.name != "edited.epub" else []
                print(f"{path.name}: {'; '.join(wrong) or 'no new errors'}")
                failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
