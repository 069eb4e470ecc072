-- A chunk that is to be spoken again has no audio of its own, but the audio of before stays here until the new one is stored.
CREATE TABLE chunk_old_audio (
    material_id     TEXT NOT NULL,
    idx             INTEGER NOT NULL,
    format          TEXT NOT NULL,
    audio_object    TEXT NOT NULL,
    lossless_object TEXT NOT NULL,
    words_object    TEXT NOT NULL,
    audio_bytes     INTEGER NOT NULL,
    audio_etag      TEXT NOT NULL,
    duration_ms     INTEGER NOT NULL,
    sample_rate_hz  INTEGER NOT NULL,
    PRIMARY KEY (material_id, idx),
    FOREIGN KEY (material_id, idx) REFERENCES chunks (material_id, idx)
) STRICT;

-- How often a chunk was spoken before and paid. A chunk that is spoken again is charged again, so the row of what was spoken is
-- named by this number, too. Programs of before write no number: they speak each chunk once.
ALTER TABLE chunks ADD COLUMN takes INTEGER NOT NULL DEFAULT 0;
CREATE TABLE chunk_conversions_by_take (
    material_id     TEXT NOT NULL REFERENCES materials (id),
    chunk_index     INTEGER NOT NULL,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    environment     TEXT NOT NULL CONSTRAINT chunk_conversions_environment_known CHECK (environment IN ('test', 'live')),
    key_id          TEXT NOT NULL REFERENCES api_keys (id),
    ereader_id      TEXT NOT NULL REFERENCES ereaders (id),
    characters      INTEGER NOT NULL,
    credits_charged INTEGER NOT NULL CONSTRAINT chunk_conversions_charge_not_negative CHECK (credits_charged >= 0),
    created_at      INTEGER NOT NULL,
    take            INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (material_id, chunk_index, take)
) STRICT;
INSERT INTO chunk_conversions_by_take (material_id, chunk_index, account_id, environment, key_id, ereader_id, characters,
    credits_charged, created_at)
    SELECT material_id, chunk_index, account_id, environment, key_id, ereader_id, characters, credits_charged, created_at
    FROM chunk_conversions;
DROP TABLE chunk_conversions;
ALTER TABLE chunk_conversions_by_take RENAME TO chunk_conversions;
CREATE INDEX chunk_conversions_by_account ON chunk_conversions (account_id, created_at);
