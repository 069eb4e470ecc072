-- The first schema, for PostgreSQL. Its twin in ../sqlite has the same tables, columns and rules; keep both alike.
-- Ids are TEXT, instants BIGINT (UTC microseconds), credits BIGINT, truth values BIGINT (0 or 1). Text that is
-- ordered or looked up compares by its bytes (collation "C"), as it does in SQLite.

CREATE TABLE store_settings (
    name  TEXT COLLATE "C" PRIMARY KEY,
    value TEXT NOT NULL
);

CREATE TABLE accounts (
    id                       TEXT COLLATE "C" PRIMARY KEY,
    email                    TEXT NOT NULL,
    email_key                TEXT COLLATE "C" NOT NULL CONSTRAINT accounts_email_key_unique UNIQUE,
    state                    TEXT NOT NULL CONSTRAINT accounts_state_known CHECK (state IN ('invited', 'registered')),
    email_confirmed_at       BIGINT,
    password_hash            TEXT,
    tier                     TEXT NOT NULL CONSTRAINT accounts_tier_known CHECK (tier IN ('free', 'standard', 'premium')),
    has_purchased_credits    BIGINT NOT NULL DEFAULT 0 CONSTRAINT accounts_purchased_boolean CHECK (has_purchased_credits IN (0, 1)),
    terms_accepted_version   TEXT,
    privacy_accepted_version TEXT,
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL
);

-- One invitation an account: a second one takes the place of the first.
CREATE TABLE invites (
    account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    token_hash BYTEA NOT NULL CONSTRAINT invites_token_hash_unique UNIQUE,
    created_at BIGINT NOT NULL,
    expires_at BIGINT NOT NULL,
    used_at    BIGINT
);

CREATE TABLE api_keys (
    id           TEXT COLLATE "C" PRIMARY KEY,
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment  TEXT COLLATE "C" NOT NULL CONSTRAINT api_keys_environment_known CHECK (environment IN ('test', 'live')),
    name         TEXT COLLATE "C" NOT NULL,
    scope_read   BIGINT NOT NULL CONSTRAINT api_keys_read_boolean CHECK (scope_read IN (0, 1)),
    scope_write  BIGINT NOT NULL CONSTRAINT api_keys_write_boolean CHECK (scope_write IN (0, 1)),
    scope_admin  BIGINT NOT NULL CONSTRAINT api_keys_admin_boolean CHECK (scope_admin IN (0, 1)),
    hash         BYTEA NOT NULL CONSTRAINT api_keys_hash_unique UNIQUE,
    hint         TEXT NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT,
    last_used_at BIGINT,
    revoked_at   BIGINT
);
CREATE INDEX api_keys_by_account ON api_keys (account_id, id);

CREATE TABLE consent_documents (
    document     TEXT COLLATE "C" NOT NULL CONSTRAINT consent_documents_known CHECK (document IN ('terms', 'privacy')),
    version      TEXT COLLATE "C" NOT NULL,
    body         TEXT NOT NULL,
    published_at BIGINT NOT NULL,
    PRIMARY KEY (document, version)
);

-- The version in force, apart, so that the check of a request is one row away.
CREATE TABLE consent_current (
    document TEXT COLLATE "C" PRIMARY KEY,
    version  TEXT COLLATE "C" NOT NULL,
    FOREIGN KEY (document, version) REFERENCES consent_documents (document, version)
);

CREATE TABLE consent_acceptances (
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    document    TEXT COLLATE "C" NOT NULL,
    version     TEXT COLLATE "C" NOT NULL,
    accepted_by TEXT NOT NULL CONSTRAINT consent_acceptances_by_known CHECK (accepted_by IN ('owner', 'operator')),
    accepted_at BIGINT NOT NULL,
    PRIMARY KEY (account_id, document, version),
    FOREIGN KEY (document, version) REFERENCES consent_documents (document, version)
);

-- What the ledger's rows add up to, kept beside them so that a hold is one guarded update. last_seq numbers
-- an account's rows without a gap, so that a row taken away is seen.
CREATE TABLE account_balances (
    account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    balance    BIGINT NOT NULL DEFAULT 0 CONSTRAINT account_balances_not_negative CHECK (balance >= 0),
    held       BIGINT NOT NULL DEFAULT 0 CONSTRAINT account_balances_held_not_negative CHECK (held >= 0),
    last_seq   BIGINT NOT NULL DEFAULT 0,
    CONSTRAINT account_balances_held_within_balance CHECK (held <= balance)
);

-- One row moves |credits| from one ledger account to another: it sums to zero by its form. The check says
-- which accounts each kind moves between; credits carries the sign that the account's owner sees.
CREATE TABLE ledger_transactions (
    id            TEXT COLLATE "C" PRIMARY KEY,
    account_id    TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    seq           BIGINT NOT NULL,
    kind          TEXT NOT NULL,
    credits       BIGINT NOT NULL,
    from_account  TEXT COLLATE "C" NOT NULL,
    to_account    TEXT COLLATE "C" NOT NULL,
    balance_after BIGINT NOT NULL CONSTRAINT ledger_transactions_balance_not_negative CHECK (balance_after >= 0),
    held_after    BIGINT NOT NULL,
    hold_id       TEXT COLLATE "C",
    reference     TEXT,
    created_at    BIGINT NOT NULL,
    CONSTRAINT ledger_transactions_seq_unique UNIQUE (account_id, seq),
    CONSTRAINT ledger_transactions_held_within_balance CHECK (held_after >= 0 AND held_after <= balance_after),
    CONSTRAINT ledger_transactions_hold_named CHECK (kind NOT IN ('hold', 'release') OR hold_id IS NOT NULL),
    CONSTRAINT ledger_transactions_form CHECK (
        (kind = 'purchase' AND credits > 0 AND from_account = 'sys:sales' AND to_account = account_id)
        OR (kind = 'grant' AND credits > 0 AND from_account = 'sys:grants' AND to_account = account_id)
        OR (kind = 'refund' AND credits > 0 AND from_account = 'sys:revenue' AND to_account = account_id)
        OR (kind = 'charge' AND credits < 0 AND from_account = account_id AND to_account = 'sys:revenue')
        OR (kind = 'hold' AND credits < 0 AND from_account = account_id AND to_account = account_id || ':held')
        OR (kind = 'release' AND credits > 0 AND from_account = account_id || ':held' AND to_account = account_id)
    )
);
-- A hold is taken, released and charged once each, whatever a program does.
CREATE UNIQUE INDEX ledger_transactions_hold_once ON ledger_transactions (hold_id, kind) WHERE hold_id IS NOT NULL;

-- The same rows as double entries.
CREATE VIEW ledger_entries (transaction_id, ledger_account, credits) AS
    SELECT id, from_account, -abs(credits) FROM ledger_transactions
    UNION ALL
    SELECT id, to_account, abs(credits) FROM ledger_transactions;

-- A hold's id is that of the transaction that took it.
CREATE TABLE holds (
    id          TEXT COLLATE "C" PRIMARY KEY REFERENCES ledger_transactions (id),
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    credits     BIGINT NOT NULL CONSTRAINT holds_positive CHECK (credits > 0),
    owner       TEXT NOT NULL,
    lease_until BIGINT NOT NULL,
    reference   TEXT,
    created_at  BIGINT NOT NULL,
    settled_at  BIGINT,
    charged     BIGINT,
    CONSTRAINT holds_settled_with_charge CHECK ((settled_at IS NULL) = (charged IS NULL)),
    CONSTRAINT holds_charge_within_hold CHECK (charged IS NULL OR (charged >= 0 AND charged <= credits))
);
CREATE INDEX holds_due ON holds (lease_until) WHERE settled_at IS NULL;
CREATE INDEX holds_open_by_account ON holds (account_id) WHERE settled_at IS NULL;

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% of % is refused: its rows are final', TG_OP, TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ledger_transactions_no_update BEFORE UPDATE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_no_delete BEFORE DELETE ON ledger_transactions
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER ledger_transactions_no_truncate BEFORE TRUNCATE ON ledger_transactions
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER holds_no_delete BEFORE DELETE ON holds
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER holds_no_truncate BEFORE TRUNCATE ON holds
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
CREATE TRIGGER holds_settled_once BEFORE UPDATE ON holds
    FOR EACH ROW
    WHEN (OLD.settled_at IS NOT NULL OR NEW.id <> OLD.id OR NEW.account_id <> OLD.account_id OR NEW.credits <> OLD.credits)
    EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_balances_no_delete BEFORE DELETE ON account_balances
    FOR EACH ROW EXECUTE FUNCTION refuse_change();
CREATE TRIGGER account_balances_no_truncate BEFORE TRUNCATE ON account_balances
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

CREATE TABLE ereaders (
    id                  TEXT COLLATE "C" PRIMARY KEY,
    slug                TEXT COLLATE "C" NOT NULL CONSTRAINT ereaders_slug_unique UNIQUE,
    name                TEXT COLLATE "C" NOT NULL,
    description         TEXT NOT NULL,
    languages           TEXT NOT NULL,
    gender              TEXT,
    tier                TEXT NOT NULL CONSTRAINT ereaders_tier_known CHECK (tier IN ('free', 'standard', 'premium')),
    engine              TEXT NOT NULL,
    voice               TEXT NOT NULL,
    sample_rate_hz      BIGINT NOT NULL,
    price_per_character BIGINT NOT NULL CONSTRAINT ereaders_price_not_negative CHECK (price_per_character >= 0),
    formats             TEXT NOT NULL,
    active              BIGINT NOT NULL CONSTRAINT ereaders_active_boolean CHECK (active IN (0, 1)),
    created_at          BIGINT NOT NULL
);

-- language_key is the language in lower case: tags are compared without regard to case.
CREATE TABLE ereader_samples (
    ereader_id   TEXT COLLATE "C" NOT NULL REFERENCES ereaders (id),
    language_key TEXT COLLATE "C" NOT NULL,
    language     TEXT NOT NULL,
    object_key   TEXT NOT NULL,
    etag         TEXT NOT NULL,
    bytes        BIGINT NOT NULL,
    created_at   BIGINT NOT NULL,
    PRIMARY KEY (ereader_id, language_key)
);

CREATE TABLE syntheses (
    id              TEXT COLLATE "C" PRIMARY KEY,
    account_id      TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment     TEXT COLLATE "C" NOT NULL CONSTRAINT syntheses_environment_known CHECK (environment IN ('test', 'live')),
    key_id          TEXT COLLATE "C" NOT NULL REFERENCES api_keys (id),
    ereader_id      TEXT COLLATE "C" NOT NULL REFERENCES ereaders (id),
    characters      BIGINT NOT NULL,
    credits_charged BIGINT NOT NULL CONSTRAINT syntheses_charge_not_negative CHECK (credits_charged >= 0),
    format          TEXT NOT NULL,
    sample_rate_hz  BIGINT NOT NULL,
    duration_ms     BIGINT NOT NULL,
    object_key      TEXT NOT NULL,
    bytes           BIGINT NOT NULL,
    etag            TEXT NOT NULL,
    created_at      BIGINT NOT NULL,
    delete_after    BIGINT NOT NULL,
    deleted_at      BIGINT
);
CREATE INDEX syntheses_by_account ON syntheses (account_id, created_at);
CREATE INDEX syntheses_due_for_deletion ON syntheses (delete_after) WHERE deleted_at IS NULL;

-- finished_at is null while the request runs under its lease. hold_id names the hold that a take-over reuses;
-- it is written before the hold's own row in the same transaction and therefore no foreign key.
CREATE TABLE idempotency_keys (
    account_id   TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment  TEXT COLLATE "C" NOT NULL CONSTRAINT idempotency_keys_environment_known CHECK (environment IN ('test', 'live')),
    method       TEXT COLLATE "C" NOT NULL,
    path         TEXT COLLATE "C" NOT NULL,
    key          TEXT COLLATE "C" NOT NULL,
    fingerprint  BYTEA NOT NULL,
    owner        TEXT NOT NULL,
    lease_until  BIGINT NOT NULL,
    takeovers    BIGINT NOT NULL DEFAULT 0,
    hold_id      TEXT COLLATE "C",
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    finished_at  BIGINT,
    status       BIGINT,
    content_type TEXT,
    body         BYTEA,
    sealed       BIGINT NOT NULL DEFAULT 0 CONSTRAINT idempotency_keys_sealed_boolean CHECK (sealed IN (0, 1)),
    PRIMARY KEY (account_id, environment, method, path, key),
    CONSTRAINT idempotency_keys_response_whole CHECK (
        (finished_at IS NULL) = (status IS NULL)
        AND (finished_at IS NULL) = (content_type IS NULL)
        AND (finished_at IS NULL) = (body IS NULL)
    )
);
CREATE INDEX idempotency_keys_expiry ON idempotency_keys (expires_at);

-- Written in the transaction of the change an event tells of; whoever delivers it reads from here.
CREATE TABLE events (
    id          TEXT COLLATE "C" PRIMARY KEY,
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    environment TEXT COLLATE "C" NOT NULL CONSTRAINT events_environment_known CHECK (environment IN ('test', 'live')),
    kind        TEXT NOT NULL,
    data        TEXT NOT NULL,
    created_at  BIGINT NOT NULL
);

-- Characters spoken under test keys; day counts days since 1970, UTC.
CREATE TABLE sandbox_usage (
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    day        BIGINT NOT NULL,
    characters BIGINT NOT NULL,
    PRIMARY KEY (account_id, day)
);
