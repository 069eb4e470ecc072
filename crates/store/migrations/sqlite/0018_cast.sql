-- Who says what in a material, as its text says or as it was proposed: a JSON list, for each chunk, of first byte, byte after the
-- last, name and paid characters.
ALTER TABLE chunk_texts ADD COLUMN speakers TEXT NOT NULL DEFAULT '[]';

-- The speakers of a material, and the e-reader of those that have one of their own. confidence is in thousandths.
CREATE TABLE material_cast (
    material_id TEXT NOT NULL REFERENCES materials (id),
    name        TEXT NOT NULL,
    place       INTEGER NOT NULL,
    ereader_id  TEXT REFERENCES ereaders (id),
    quotes      INTEGER NOT NULL,
    confidence  INTEGER NOT NULL,
    PRIMARY KEY (material_id, name)
) STRICT;
