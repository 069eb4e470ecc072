-- Lexicons: words, and how an account wants them said. entries is a JSON list of objects with word and one of ipa, x_sampa and
-- alias, all of which were checked.
CREATE TABLE lexicons (
    id            TEXT COLLATE "C" PRIMARY KEY,
    account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment   TEXT COLLATE "C" NOT NULL CONSTRAINT lexicons_environment_known CHECK (environment IN ('test', 'live')),
    name          TEXT NOT NULL,
    language      TEXT NOT NULL,
    is_default    BIGINT NOT NULL CONSTRAINT lexicons_is_default_boolean CHECK (is_default IN (0, 1)),
    entries_count BIGINT NOT NULL,
    entries       TEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE INDEX lexicons_by_account ON lexicons (account_id, environment, id);

-- The entries that a conversion copied: those of all its lexicons, the first one's first. Its chunks name them by their SHA-256.
CREATE TABLE material_lexicons (
    material_id TEXT COLLATE "C" NOT NULL REFERENCES materials (id),
    digest      TEXT COLLATE "C" NOT NULL,
    entries     TEXT NOT NULL,
    PRIMARY KEY (material_id, digest)
);
ALTER TABLE chunks ADD COLUMN lexicon_digest TEXT COLLATE "C";

-- The entries that come with a book, and the pronunciations that it gives for stretches of a chunk's text: a JSON list of start and
-- end, in bytes, and sounds.
ALTER TABLE materials ADD COLUMN lexicon_digest TEXT COLLATE "C";
ALTER TABLE materials ADD COLUMN lexicon_language TEXT;
ALTER TABLE chunk_texts ADD COLUMN pronounced TEXT NOT NULL DEFAULT '[]';
