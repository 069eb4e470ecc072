-- Materials, their chunks, the jobs that work on them, and what each must never do twice. Its twin in ../postgres has the
-- same tables, columns and rules; keep both alike.

-- chunks_queued counts chunks that are queued or being spoken. event_sequence numbers the material's events. speech_language
-- and ereader_id are fixed by the first conversion. A deleted material stays as a row without its contents.
CREATE TABLE materials (
    id               TEXT PRIMARY KEY,
    account_id       TEXT NOT NULL REFERENCES accounts (id),
    environment      TEXT NOT NULL CONSTRAINT materials_environment_known CHECK (environment IN ('test', 'live')),
    key_id           TEXT NOT NULL REFERENCES api_keys (id),
    title            TEXT NOT NULL,
    title_given      INTEGER NOT NULL CONSTRAINT materials_title_given_boolean CHECK (title_given IN (0, 1)),
    author           TEXT,
    language         TEXT,
    filename         TEXT,
    media_type       TEXT NOT NULL,
    source_bytes     INTEGER NOT NULL,
    source_sha256    BLOB NOT NULL,
    source_object    TEXT NOT NULL,
    cover_object     TEXT,
    cover_media_type TEXT,
    status           TEXT NOT NULL CONSTRAINT materials_status_known CHECK (
        status IN ('processing', 'ready', 'failed', 'converting', 'completed', 'partially_failed', 'deleted')),
    characters       INTEGER,
    chunk_count      INTEGER,
    chunks_completed INTEGER NOT NULL DEFAULT 0,
    chunks_failed    INTEGER NOT NULL DEFAULT 0,
    chunks_queued    INTEGER NOT NULL DEFAULT 0,
    duration_ms      INTEGER NOT NULL DEFAULT 0,
    ereader_id       TEXT REFERENCES ereaders (id),
    speech_language  TEXT,
    failure_code     TEXT,
    failure_message  TEXT,
    event_sequence   INTEGER NOT NULL DEFAULT 0,
    created_at       INTEGER NOT NULL,
    updated_at       INTEGER NOT NULL,
    deleted_at       INTEGER,
    CONSTRAINT materials_counters_within_chunks CHECK (
        chunks_completed >= 0 AND chunks_failed >= 0 AND chunks_queued >= 0
        AND chunks_completed + chunks_failed + chunks_queued <= COALESCE(chunk_count, 0)),
    CONSTRAINT materials_converting_while_queued CHECK ((status = 'converting') = (chunks_queued > 0)),
    CONSTRAINT materials_failure_whole CHECK ((failure_code IS NULL) = (failure_message IS NULL)),
    CONSTRAINT materials_deleted_when CHECK ((status = 'deleted') = (deleted_at IS NOT NULL))
) STRICT;
CREATE INDEX materials_by_account ON materials (account_id, environment, id);

-- A chunk has a hold only while it is queued or being spoken, and none when it costs nothing. key_id is the key that
-- asked for its conversion; credits what is held for it or was charged.
CREATE TABLE chunks (
    material_id     TEXT NOT NULL REFERENCES materials (id),
    idx             INTEGER NOT NULL,
    status          TEXT NOT NULL CONSTRAINT chunks_status_known CHECK (
        status IN ('pending', 'queued', 'converting', 'completed', 'failed')),
    title           TEXT,
    characters      INTEGER NOT NULL,
    starts_chapter  INTEGER NOT NULL CONSTRAINT chunks_starts_chapter_boolean CHECK (starts_chapter IN (0, 1)),
    pause_after_ms  INTEGER NOT NULL,
    key_id          TEXT REFERENCES api_keys (id),
    format          TEXT,
    hold_id         TEXT,
    credits         INTEGER NOT NULL DEFAULT 0 CONSTRAINT chunks_credits_not_negative CHECK (credits >= 0),
    requested_at    INTEGER,
    audio_object    TEXT,
    lossless_object TEXT,
    words_object    TEXT,
    audio_bytes     INTEGER,
    audio_etag      TEXT,
    duration_ms     INTEGER,
    sample_rate_hz  INTEGER,
    completed_at    INTEGER,
    failure_code    TEXT,
    failure_message TEXT,
    PRIMARY KEY (material_id, idx),
    CONSTRAINT chunks_hold_while_queued CHECK (hold_id IS NULL OR status IN ('queued', 'converting')),
    CONSTRAINT chunks_asked_for_whole CHECK ((status = 'pending') = (key_id IS NULL) AND (key_id IS NULL) = (format IS NULL)),
    CONSTRAINT chunks_audio_whole CHECK (
        (status = 'completed') = (completed_at IS NOT NULL) AND (completed_at IS NULL) = (audio_object IS NULL)
        AND (completed_at IS NULL) = (lossless_object IS NULL) AND (completed_at IS NULL) = (words_object IS NULL)
        AND (completed_at IS NULL) = (audio_bytes IS NULL) AND (completed_at IS NULL) = (audio_etag IS NULL)
        AND (completed_at IS NULL) = (duration_ms IS NULL) AND (completed_at IS NULL) = (sample_rate_hz IS NULL)),
    CONSTRAINT chunks_failure_whole CHECK (
        (status = 'failed') = (failure_code IS NOT NULL) AND (failure_code IS NULL) = (failure_message IS NULL))
) STRICT;

-- Apart from the chunk, whose row changes several times; these do not.
CREATE TABLE chunk_texts (
    material_id TEXT NOT NULL,
    idx         INTEGER NOT NULL,
    breaks      TEXT NOT NULL,
    text        TEXT NOT NULL,
    PRIMARY KEY (material_id, idx),
    FOREIGN KEY (material_id, idx) REFERENCES chunks (material_id, idx)
) STRICT;

-- What was spoken and charged; stays when the material is deleted.
CREATE TABLE chunk_conversions (
    material_id     TEXT NOT NULL REFERENCES materials (id),
    chunk_index     INTEGER NOT NULL,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    environment     TEXT NOT NULL CONSTRAINT chunk_conversions_environment_known CHECK (environment IN ('test', 'live')),
    key_id          TEXT NOT NULL REFERENCES api_keys (id),
    ereader_id      TEXT NOT NULL REFERENCES ereaders (id),
    characters      INTEGER NOT NULL,
    credits_charged INTEGER NOT NULL CONSTRAINT chunk_conversions_charge_not_negative CHECK (credits_charged >= 0),
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (material_id, chunk_index)
) STRICT;
CREATE INDEX chunk_conversions_by_account ON chunk_conversions (account_id, created_at);

-- A chunk's charge is booked once, whatever a program does: charge_key names material, chunk and e-reader.
ALTER TABLE ledger_transactions ADD COLUMN charge_key TEXT;
CREATE UNIQUE INDEX ledger_transactions_charge_once ON ledger_transactions (charge_key) WHERE charge_key IS NOT NULL;
-- INSERT OR REPLACE deletes without firing delete triggers, whichever rule the new row would break.
DROP TRIGGER ledger_transactions_no_replace;
CREATE TRIGGER ledger_transactions_no_replace BEFORE INSERT ON ledger_transactions
WHEN EXISTS (SELECT 1 FROM ledger_transactions WHERE id = NEW.id)
    OR EXISTS (SELECT 1 FROM ledger_transactions WHERE account_id = NEW.account_id AND seq = NEW.seq)
    OR EXISTS (SELECT 1 FROM ledger_transactions WHERE hold_id IS NOT NULL AND hold_id = NEW.hold_id AND kind = NEW.kind)
    OR EXISTS (SELECT 1 FROM ledger_transactions WHERE charge_key IS NOT NULL AND charge_key = NEW.charge_key)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;

-- Work to be done. A finished job has no row; a dead one stays until somebody retries it. chunk_index is -1 and detail
-- empty where a kind has none. Each claim raises claim_epoch, and every completion names it. turn orders an account's
-- jobs so that its materials take turns. kind has no list of its words here, because kinds come and go.
CREATE TABLE jobs (
    id          TEXT PRIMARY KEY,
    kind        TEXT NOT NULL,
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    environment TEXT NOT NULL CONSTRAINT jobs_environment_known CHECK (environment IN ('test', 'live')),
    material_id TEXT REFERENCES materials (id),
    chunk_index INTEGER NOT NULL DEFAULT -1,
    detail      TEXT NOT NULL DEFAULT '',
    priority    INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    status      TEXT NOT NULL CONSTRAINT jobs_status_known CHECK (status IN ('queued', 'running', 'dead')),
    claim_epoch INTEGER NOT NULL DEFAULT 0,
    worker      TEXT,
    lease_until INTEGER,
    run_at      INTEGER NOT NULL,
    attempts    INTEGER NOT NULL DEFAULT 0,
    lost_leases INTEGER NOT NULL DEFAULT 0,
    last_error  TEXT,
    created_at  INTEGER NOT NULL,
    updated_at  INTEGER NOT NULL,
    CONSTRAINT jobs_once UNIQUE (material_id, kind, chunk_index, detail),
    CONSTRAINT jobs_leased_while_running CHECK (
        (status = 'running') = (lease_until IS NOT NULL) AND (lease_until IS NULL) = (worker IS NULL))
) STRICT;
CREATE INDEX jobs_to_claim ON jobs (kind, priority, account_id, turn, id, run_at) WHERE status = 'queued';
CREATE INDEX jobs_leased ON jobs (lease_until) WHERE status = 'running';

-- When each account's work of a kind was last taken up, as a number that ascends, and the highest turn taken up so far.
CREATE TABLE job_turns (
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    environment TEXT NOT NULL CONSTRAINT job_turns_environment_known CHECK (environment IN ('test', 'live')),
    kind        TEXT NOT NULL,
    served      INTEGER NOT NULL,
    turn        INTEGER NOT NULL,
    PRIMARY KEY (account_id, environment, kind)
) STRICT;
CREATE INDEX job_turns_by_served ON job_turns (served);

-- Whole books that were made.
CREATE TABLE material_books (
    material_id TEXT NOT NULL REFERENCES materials (id),
    format      TEXT NOT NULL,
    object_key  TEXT NOT NULL,
    bytes       INTEGER NOT NULL,
    etag        TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    created_at  INTEGER NOT NULL,
    PRIMARY KEY (material_id, format)
) STRICT;

ALTER TABLE events ADD COLUMN material_id TEXT;
ALTER TABLE events ADD COLUMN sequence INTEGER;
CREATE UNIQUE INDEX events_by_material ON events (material_id, sequence) WHERE material_id IS NOT NULL;

-- Objects that go from the storage at due_at: those that nothing needs any more, and those about to be put, until the
-- transaction that needs them takes them off this list.
CREATE TABLE object_deletions (
    object_key TEXT PRIMARY KEY,
    due_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX object_deletions_due ON object_deletions (due_at);

CREATE INDEX syntheses_by_object ON syntheses (object_key) WHERE deleted_at IS NULL;
