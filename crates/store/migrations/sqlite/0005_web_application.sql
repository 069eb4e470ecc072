-- What people do in the web application: purchases, where a session and an acceptance came from, and the key that an
-- account's pages act under. Its twin in ../postgres has the same tables, columns and rules; keep both alike.

-- Where who signed in came from, so that owners know their sessions apart.
ALTER TABLE sessions ADD COLUMN ip TEXT;
ALTER TABLE sessions ADD COLUMN user_agent TEXT;

-- Where an owner who accepted a document came from; null when the operator accepted.
ALTER TABLE consent_acceptances ADD COLUMN ip TEXT;

-- A key of origin 'web' is what an account's pages act under, one for each environment, made when first needed. Nobody holds
-- it, no list shows it, nobody can revoke it; it has no scope admin, so that it never counts as the last admin key.
ALTER TABLE api_keys ADD COLUMN origin TEXT NOT NULL DEFAULT 'api' CONSTRAINT api_keys_origin_known CHECK (origin IN ('api', 'web'));
CREATE UNIQUE INDEX api_keys_web_once ON api_keys (account_id, environment) WHERE origin = 'web';

-- Credits that an owner asked to buy. provider_reference is the payment provider's own name for it. Money that came counts
-- whatever stood here before; what is paid stays paid, with the row of the ledger that it became.
CREATE TABLE purchases (
    id                 TEXT PRIMARY KEY,
    account_id         TEXT NOT NULL REFERENCES accounts (id),
    provider           TEXT NOT NULL CONSTRAINT purchases_provider_known CHECK (provider IN ('manual', 'stripe')),
    status             TEXT NOT NULL CONSTRAINT purchases_status_known CHECK (status IN ('pending', 'paid', 'declined', 'expired')),
    credits            INTEGER NOT NULL CONSTRAINT purchases_credits_positive CHECK (credits > 0),
    price_minor        INTEGER NOT NULL CONSTRAINT purchases_price_not_negative CHECK (price_minor >= 0),
    currency           TEXT NOT NULL,
    provider_reference TEXT CONSTRAINT purchases_reference_unique UNIQUE,
    transaction_id     TEXT REFERENCES ledger_transactions (id),
    created_at         INTEGER NOT NULL,
    updated_at         INTEGER NOT NULL,
    paid_at            INTEGER,
    CONSTRAINT purchases_paid_is_booked CHECK ((status = 'paid') = (transaction_id IS NOT NULL)),
    CONSTRAINT purchases_paid_has_time CHECK ((status = 'paid') = (paid_at IS NOT NULL))
) STRICT;
CREATE INDEX purchases_by_account ON purchases (account_id, id);
CREATE INDEX purchases_pending ON purchases (status, id);
