-- The program knows the payment providers, not the table, so that one can be added without a migration. SQLite cannot drop a
-- constraint: the table is rebuilt without it. The twin in ../postgres drops it.
CREATE TABLE purchases_rebuilt (
    id                 TEXT PRIMARY KEY,
    account_id         TEXT NOT NULL REFERENCES accounts (id),
    provider           TEXT NOT NULL,
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
INSERT INTO purchases_rebuilt (id, account_id, provider, status, credits, price_minor, currency, provider_reference,
    transaction_id, created_at, updated_at, paid_at)
SELECT id, account_id, provider, status, credits, price_minor, currency, provider_reference, transaction_id, created_at,
    updated_at, paid_at
FROM purchases;
DROP TABLE purchases;
ALTER TABLE purchases_rebuilt RENAME TO purchases;
CREATE INDEX purchases_by_account ON purchases (account_id, id);
CREATE INDEX purchases_pending ON purchases (status, id);
