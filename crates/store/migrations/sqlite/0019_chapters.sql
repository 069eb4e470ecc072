-- The chapters of a material. Those that are included are its book: the material is completed when all their chunks are. A
-- material that a program of before extracted has no rows here, and its chunks no chapter: it is read as chapters of body text,
-- all included, and gets its rows with the first change of one.
CREATE TABLE material_chapters (
    material_id TEXT NOT NULL REFERENCES materials (id),
    idx         INTEGER NOT NULL,
    title       TEXT,
    level       INTEGER NOT NULL CONSTRAINT material_chapters_level_known CHECK (level BETWEEN 1 AND 6),
    role        TEXT NOT NULL,
    included    INTEGER NOT NULL CONSTRAINT material_chapters_included_boolean CHECK (included IN (0, 1)),
    PRIMARY KEY (material_id, idx)
) STRICT;
ALTER TABLE chunks ADD COLUMN chapter INTEGER;

-- What files say of the book besides its title and author. series_index is in hundredths.
ALTER TABLE materials ADD COLUMN narrator TEXT;
ALTER TABLE materials ADD COLUMN publisher TEXT;
ALTER TABLE materials ADD COLUMN year INTEGER;
ALTER TABLE materials ADD COLUMN description TEXT;
ALTER TABLE materials ADD COLUMN series TEXT;
ALTER TABLE materials ADD COLUMN series_index INTEGER;
ALTER TABLE materials ADD COLUMN isbn TEXT;

-- What becomes of the notes, and the object from which the text is divided anew when that changes. It cannot change once a text was
-- edited, which is counted.
ALTER TABLE materials ADD COLUMN notes TEXT NOT NULL DEFAULT 'skip';
ALTER TABLE materials ADD COLUMN document_object TEXT;
ALTER TABLE materials ADD COLUMN edits INTEGER NOT NULL DEFAULT 0;

-- The length of the book's audio; set while the material is completed. A program of before leaves it as it is, and completes only
-- materials with all their chunks, so without a length it is that of all chunks.
ALTER TABLE materials ADD COLUMN book_duration_ms INTEGER;

-- Whether old audio says something else than its chunk now does.
ALTER TABLE chunk_old_audio ADD COLUMN outdated INTEGER NOT NULL DEFAULT 0;

-- How far the making of a file is, in thousandths.
ALTER TABLE jobs ADD COLUMN progress INTEGER NOT NULL DEFAULT 0;

-- Where the chapters' audio lies in a file that has them apart: a JSON list of chapter, first byte, bytes and milliseconds.
ALTER TABLE material_books ADD COLUMN parts TEXT;

-- The podcast feed of a material. Its secret URL is made of the nonce and a key of this installation, and ends with the row.
CREATE TABLE material_feeds (
    material_id TEXT NOT NULL REFERENCES materials (id),
    nonce       BLOB NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (material_id)
) STRICT;
