-- How far the owner has listened to a material.
CREATE TABLE material_places (
    material_id         TEXT NOT NULL REFERENCES materials (id),
    account_id          TEXT NOT NULL REFERENCES accounts (id),
    environment         TEXT NOT NULL,
    chunk_index         INTEGER NOT NULL,
    position_ms         INTEGER NOT NULL,
    -- The share of the material before it, in millionths.
    progress_millionths INTEGER NOT NULL,
    finished            INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    PRIMARY KEY (material_id)
) STRICT;
CREATE INDEX material_places_newest ON material_places (account_id, environment, updated_at);

-- Places that the owner marked.
CREATE TABLE bookmarks (
    id          TEXT NOT NULL,
    material_id TEXT NOT NULL REFERENCES materials (id),
    chunk_index INTEGER NOT NULL,
    position_ms INTEGER NOT NULL,
    note        TEXT NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;
-- A point is marked once, however often the mark is sent.
CREATE UNIQUE INDEX bookmarks_of_material ON bookmarks (material_id, chunk_index, position_ms);

-- The texts of syntheses, for the history of their owner.
CREATE TABLE synthesis_texts (
    synthesis_id TEXT NOT NULL REFERENCES syntheses (id),
    text         TEXT NOT NULL,
    text_type    TEXT NOT NULL,
    delete_after INTEGER NOT NULL,
    PRIMARY KEY (synthesis_id)
) STRICT;
CREATE INDEX synthesis_texts_due ON synthesis_texts (delete_after);
CREATE INDEX syntheses_newest ON syntheses (account_id, environment, id);
