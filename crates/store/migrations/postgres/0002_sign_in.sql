-- Accounts that people sign in to: sessions, tokens sent by mail, and the mails themselves. Its twin in ../sqlite has the
-- same tables, columns and rules; keep both alike.

-- A session token names its row here, so that it can be revoked.
CREATE TABLE sessions (
    id         TEXT COLLATE "C" PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    revoked_at BIGINT
);
CREATE INDEX sessions_by_account ON sessions (account_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- What a mail's link proves. Only the keyed hash of the token is kept; it works once.
CREATE TABLE email_tokens (
    hash       BYTEA PRIMARY KEY,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    purpose    TEXT NOT NULL CONSTRAINT email_tokens_purpose_known CHECK (purpose IN ('confirm', 'reset')),
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);
CREATE INDEX email_tokens_by_account ON email_tokens (account_id, purpose, created_at);
CREATE INDEX email_tokens_expiry ON email_tokens (expires_at);

-- Mails, written in the transaction of the change they tell of. sealed holds address and text, which has a token in
-- it, encrypted by the server; it goes once the mail is delivered. Whoever attempts a delivery first moves
-- next_attempt_at on, so that nobody else tries meanwhile. Past expires_at nothing is tried any more.
CREATE TABLE outgoing_mails (
    id              TEXT COLLATE "C" PRIMARY KEY,
    account_id      TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    purpose         TEXT NOT NULL CONSTRAINT outgoing_mails_purpose_known CHECK (purpose IN ('confirm', 'reset')),
    sealed          BYTEA,
    created_at      BIGINT NOT NULL,
    expires_at      BIGINT NOT NULL,
    next_attempt_at BIGINT NOT NULL,
    attempts        BIGINT NOT NULL DEFAULT 0,
    last_error      TEXT,
    delivered_at    BIGINT,
    CONSTRAINT outgoing_mails_sealed_until_delivered CHECK ((delivered_at IS NULL) = (sealed IS NOT NULL))
);
CREATE INDEX outgoing_mails_due ON outgoing_mails (next_attempt_at) WHERE delivered_at IS NULL;
CREATE INDEX outgoing_mails_by_account ON outgoing_mails (account_id, id);
CREATE INDEX outgoing_mails_expiry ON outgoing_mails (expires_at);
