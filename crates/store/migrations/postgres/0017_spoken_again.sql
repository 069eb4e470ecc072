-- A chunk that is to be spoken again has no audio of its own, but the audio of before stays here until the new one is stored.
CREATE TABLE chunk_old_audio (
    material_id     TEXT COLLATE "C" NOT NULL,
    idx             BIGINT NOT NULL,
    format          TEXT NOT NULL,
    audio_object    TEXT NOT NULL,
    lossless_object TEXT NOT NULL,
    words_object    TEXT NOT NULL,
    audio_bytes     BIGINT NOT NULL,
    audio_etag      TEXT NOT NULL,
    duration_ms     BIGINT NOT NULL,
    sample_rate_hz  BIGINT NOT NULL,
    PRIMARY KEY (material_id, idx),
    FOREIGN KEY (material_id, idx) REFERENCES chunks (material_id, idx)
);

-- How often a chunk was spoken before and paid. A chunk that is spoken again is charged again, so the row of what was spoken is
-- named by this number, too. Programs of before write no number: they speak each chunk once.
ALTER TABLE chunks ADD COLUMN takes BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chunk_conversions ADD COLUMN take BIGINT NOT NULL DEFAULT 0;
ALTER TABLE chunk_conversions DROP CONSTRAINT chunk_conversions_pkey;
ALTER TABLE chunk_conversions ADD PRIMARY KEY (material_id, chunk_index, take);
