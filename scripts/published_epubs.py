#!/usr/bin/env python3
"""Has the service make EPUBs of small documents of several kinds, by word and by sentence, and runs EPUBCheck over them.

usage: published_epubs.py LECTERN

Starts LECTERN on free ports with a store of its own and the real voice. Exits 1 when an EPUB has an error that its source
does not have, or has no overlays. Needs Java and the packages of scripts/test_requirements.txt.
"""

# Negative controls, each seen to fail: with the reference to the package taken as a file's name (the book was made from
# scratch), and with `span` allowed inside `time`.

import pathlib
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor

import epub_fixtures
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
    return made


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
                wrong += [] if source.name != "hard.epub" or "OEBPS/text/two.xhtml" in names else ["it was made from scratch"]
                print(f"{path.name}: {'; '.join(wrong) or 'no new errors'}")
                failed += bool(wrong)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
