-- Webhooks: endpoints, what is owed to each, and every attempt at it. Its twin in ../postgres has the same tables, columns
-- and rules; keep both alike.

-- events is a comma-separated list of event types. secrets is a sealed list of those that are valid, the current one first.
-- failing_since is when the first attempt failed since the last that succeeded. A deleted endpoint stays as a row without
-- its secrets, because its deliveries name it.
CREATE TABLE webhooks (
    id              TEXT PRIMARY KEY,
    account_id      TEXT NOT NULL REFERENCES accounts (id),
    environment     TEXT NOT NULL CONSTRAINT webhooks_environment_known CHECK (environment IN ('test', 'live')),
    url             TEXT NOT NULL,
    events          TEXT NOT NULL,
    description     TEXT,
    status          TEXT NOT NULL CONSTRAINT webhooks_status_known CHECK (status IN ('active', 'disabled', 'deleted')),
    disabled_reason TEXT,
    secrets         BLOB NOT NULL,
    failing_since   INTEGER,
    created_at      INTEGER NOT NULL,
    updated_at      INTEGER NOT NULL,
    CONSTRAINT webhooks_reason_unless_active CHECK (disabled_reason IS NULL OR status <> 'active')
) STRICT;
CREATE INDEX webhooks_by_account ON webhooks (account_id, environment, id);
CREATE INDEX webhooks_active ON webhooks (account_id, environment, id) WHERE status = 'active';

-- Written in the transaction of the event. next_attempt_at is there while an attempt is waited for, lease_until and worker
-- while one is under way; each claim raises claim_epoch, and every end names it. created_at is the event's own.
CREATE TABLE webhook_deliveries (
    id               TEXT PRIMARY KEY,
    webhook_id       TEXT NOT NULL REFERENCES webhooks (id),
    environment      TEXT NOT NULL CONSTRAINT webhook_deliveries_environment_known CHECK (environment IN ('test', 'live')),
    event_id         TEXT NOT NULL REFERENCES events (id),
    event_kind       TEXT NOT NULL,
    status           TEXT NOT NULL CONSTRAINT webhook_deliveries_status_known CHECK (
        status IN ('pending', 'in_flight', 'succeeded', 'failed')),
    attempt_count    INTEGER NOT NULL DEFAULT 0,
    last_status_code INTEGER,
    last_error       TEXT,
    next_attempt_at  INTEGER,
    claim_epoch      INTEGER NOT NULL DEFAULT 0,
    worker           TEXT,
    lease_until      INTEGER,
    created_at       INTEGER NOT NULL,
    CONSTRAINT webhook_deliveries_leased_in_flight CHECK (
        (status = 'in_flight') = (lease_until IS NOT NULL) AND (lease_until IS NULL) = (worker IS NULL)),
    CONSTRAINT webhook_deliveries_waiting CHECK (
        (status <> 'pending' OR next_attempt_at IS NOT NULL)
        AND (status NOT IN ('in_flight', 'succeeded') OR next_attempt_at IS NULL))
) STRICT;
CREATE INDEX webhook_deliveries_by_webhook ON webhook_deliveries (webhook_id, id);
CREATE INDEX webhook_deliveries_to_attempt ON webhook_deliveries (webhook_id, next_attempt_at, id) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (lease_until) WHERE status = 'in_flight';
CREATE INDEX webhook_deliveries_open ON webhook_deliveries (environment, created_at) WHERE next_attempt_at IS NOT NULL OR lease_until IS NOT NULL;

-- response is the beginning of the answer's body, as it came.
CREATE TABLE webhook_attempts (
    delivery_id TEXT NOT NULL REFERENCES webhook_deliveries (id),
    number      INTEGER NOT NULL,
    started_at  INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status_code INTEGER,
    error       TEXT,
    response    BLOB,
    PRIMARY KEY (delivery_id, number),
    CONSTRAINT webhook_attempts_answer_or_error CHECK ((status_code IS NULL) = (error IS NOT NULL))
) STRICT;

CREATE INDEX events_by_account ON events (account_id, environment, id);

-- Below this much that is available the account's webhooks are told so; null: never.
ALTER TABLE account_balances ADD COLUMN low_threshold INTEGER CONSTRAINT account_balances_threshold_positive CHECK (low_threshold > 0);
