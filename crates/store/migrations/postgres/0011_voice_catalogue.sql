-- grade: how good a voice was judged to be; null where nobody judged it. preview: its language is offered on trial.
ALTER TABLE ereaders ADD COLUMN grade TEXT CONSTRAINT ereaders_grade_known CHECK (grade IN ('A', 'B', 'C', 'D'));
ALTER TABLE ereaders ADD COLUMN preview BIGINT NOT NULL DEFAULT 0 CONSTRAINT ereaders_preview_boolean CHECK (preview IN (0, 1));

CREATE TABLE ereader_favorites (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    ereader_id TEXT COLLATE "C" NOT NULL REFERENCES ereaders (id),
    created_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, ereader_id)
);

-- Samples that somebody asked for and that are not stored yet. Whoever makes one claims its row: nobody else begins before
-- lease_until. owner is null while nobody works on it; lease_until is then the earliest time for the next attempt.
CREATE TABLE sample_requests (
    ereader_id   TEXT COLLATE "C" NOT NULL REFERENCES ereaders (id),
    language_key TEXT COLLATE "C" NOT NULL,
    language     TEXT NOT NULL,
    requested_at BIGINT NOT NULL,
    owner        TEXT,
    lease_until  BIGINT NOT NULL,
    PRIMARY KEY (ereader_id, language_key)
);
