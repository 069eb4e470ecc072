-- What an account is to be told of by mail. The mail is written when the row is due; what it says is read then.
CREATE TABLE notices (
    kind       TEXT NOT NULL,
    subject    TEXT NOT NULL,
    account_id TEXT NOT NULL REFERENCES accounts (id),
    created_at INTEGER NOT NULL,
    due_at     INTEGER,
    PRIMARY KEY (kind, subject)
) STRICT;
CREATE INDEX notices_due ON notices (due_at) WHERE due_at IS NOT NULL;

-- The language of an account's mails and invoices, and which mails it wants. No row: English, and all of them.
CREATE TABLE account_preferences (
    account_id       TEXT PRIMARY KEY REFERENCES accounts (id),
    language         TEXT,
    mail_book_ready  INTEGER NOT NULL DEFAULT 1,
    mail_low_credits INTEGER NOT NULL DEFAULT 1
) STRICT;

-- Whom an account's invoices are made out to.
CREATE TABLE billing_details (
    account_id TEXT PRIMARY KEY REFERENCES accounts (id),
    name       TEXT NOT NULL,
    address    TEXT NOT NULL,
    tax_id     TEXT,
    updated_at INTEGER NOT NULL
) STRICT;

-- Invoices never change: seller, buyer and sums are copied when the purchase is paid. Their numbers have no gaps.
CREATE TABLE invoices (
    number      INTEGER PRIMARY KEY,
    name        TEXT NOT NULL CONSTRAINT invoices_name_unique UNIQUE,
    purchase_id TEXT NOT NULL CONSTRAINT invoices_purchase_unique UNIQUE REFERENCES purchases (id),
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    issued_at   INTEGER NOT NULL,
    content     TEXT NOT NULL
) STRICT;
CREATE INDEX invoices_by_account ON invoices (account_id, number);
CREATE TABLE invoice_numbers (
    series      TEXT PRIMARY KEY,
    last_number INTEGER NOT NULL
) STRICT;

-- Credits that are bought by themselves when few are left, and the card that pays them.
CREATE TABLE top_ups (
    account_id     TEXT PRIMARY KEY REFERENCES accounts (id),
    customer       TEXT,
    payment_method TEXT,
    card           TEXT,
    below          INTEGER,
    credits        INTEGER,
    monthly_limit  INTEGER,
    currency       TEXT,
    stopped        TEXT,
    stopped_at     INTEGER,
    card_at        INTEGER NOT NULL DEFAULT 0,
    updated_at     INTEGER NOT NULL
) STRICT;
CREATE INDEX top_ups_on ON top_ups (account_id) WHERE below IS NOT NULL;
ALTER TABLE purchases ADD COLUMN automatic INTEGER NOT NULL DEFAULT 0;
-- The card that an automatic purchase is charged to, whatever card the account has later.
ALTER TABLE purchases ADD COLUMN card_customer TEXT;
ALTER TABLE purchases ADD COLUMN card_method TEXT;
