-- How far the owner has listened to a material.
CREATE TABLE material_places (
    material_id         TEXT COLLATE "C" NOT NULL REFERENCES materials (id),
    account_id          TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment         TEXT COLLATE "C" NOT NULL,
    chunk_index         BIGINT NOT NULL,
    position_ms         BIGINT NOT NULL,
    -- The share of the material before it, in millionths.
    progress_millionths BIGINT NOT NULL,
    finished            BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    PRIMARY KEY (material_id)
);
CREATE INDEX material_places_newest ON material_places (account_id, environment, updated_at);

-- Places that the owner marked.
CREATE TABLE bookmarks (
    id          TEXT COLLATE "C" NOT NULL,
    material_id TEXT COLLATE "C" NOT NULL REFERENCES materials (id),
    chunk_index BIGINT NOT NULL,
    position_ms BIGINT NOT NULL,
    note        TEXT COLLATE "C" NOT NULL,
    created_at  BIGINT NOT NULL,
    PRIMARY KEY (id)
);
-- A point is marked once, however often the mark is sent.
CREATE UNIQUE INDEX bookmarks_of_material ON bookmarks (material_id, chunk_index, position_ms);

-- The texts of syntheses, for the history of their owner.
CREATE TABLE synthesis_texts (
    synthesis_id TEXT COLLATE "C" NOT NULL REFERENCES syntheses (id),
    text         TEXT COLLATE "C" NOT NULL,
    text_type    TEXT COLLATE "C" NOT NULL,
    delete_after BIGINT NOT NULL,
    PRIMARY KEY (synthesis_id)
);
CREATE INDEX synthesis_texts_due ON synthesis_texts (delete_after);
CREATE INDEX syntheses_newest ON syntheses (account_id, environment, id);
