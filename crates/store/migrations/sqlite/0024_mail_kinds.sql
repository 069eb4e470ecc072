-- The program knows what mails are for, not the table. SQLite cannot drop a constraint: the table is rebuilt without it. The
-- twin in ../postgres drops it.
CREATE TABLE outgoing_mails_rebuilt (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    purpose         TEXT NOT NULL,
    sealed          BLOB,
    created_at      INTEGER NOT NULL,
    expires_at      INTEGER NOT NULL,
    next_attempt_at INTEGER NOT NULL,
    attempts        INTEGER NOT NULL DEFAULT 0,
    last_error      TEXT,
    delivered_at    INTEGER,
    CONSTRAINT outgoing_mails_sealed_until_delivered CHECK ((delivered_at IS NULL) = (sealed IS NOT NULL))
) STRICT;
INSERT INTO outgoing_mails_rebuilt (id, account_id, purpose, sealed, created_at, expires_at, next_attempt_at, attempts,
    last_error, delivered_at)
SELECT id, account_id, purpose, sealed, created_at, expires_at, next_attempt_at, attempts, last_error, delivered_at
FROM outgoing_mails;
DROP TABLE outgoing_mails;
ALTER TABLE outgoing_mails_rebuilt RENAME TO outgoing_mails;
CREATE INDEX outgoing_mails_due ON outgoing_mails (next_attempt_at) WHERE delivered_at IS NULL;
CREATE INDEX outgoing_mails_by_account ON outgoing_mails (account_id, id);
CREATE INDEX outgoing_mails_expiry ON outgoing_mails (expires_at);
