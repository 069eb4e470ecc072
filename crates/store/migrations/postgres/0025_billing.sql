-- What an account is to be told of by mail. The mail is written when the row is due; what it says is read then.
CREATE TABLE notices (
    kind       TEXT COLLATE "C" NOT NULL,
    subject    TEXT COLLATE "C" NOT NULL,
    account_id TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    created_at BIGINT NOT NULL,
    due_at     BIGINT,
    PRIMARY KEY (kind, subject)
);
CREATE INDEX notices_due ON notices (due_at) WHERE due_at IS NOT NULL;

-- The language of an account's mails and invoices, and which mails it wants. No row: English, and all of them.
CREATE TABLE account_preferences (
    account_id       TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    language         TEXT COLLATE "C",
    mail_book_ready  BIGINT NOT NULL DEFAULT 1,
    mail_low_credits BIGINT NOT NULL DEFAULT 1
);

-- Whom an account's invoices are made out to.
CREATE TABLE billing_details (
    account_id TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    name       TEXT COLLATE "C" NOT NULL,
    address    TEXT COLLATE "C" NOT NULL,
    tax_id     TEXT COLLATE "C",
    updated_at BIGINT NOT NULL
);

-- Invoices never change: seller, buyer and sums are copied when the purchase is paid. Their numbers have no gaps.
CREATE TABLE invoices (
    number      BIGINT PRIMARY KEY,
    name        TEXT COLLATE "C" NOT NULL CONSTRAINT invoices_name_unique UNIQUE,
    purchase_id TEXT COLLATE "C" NOT NULL CONSTRAINT invoices_purchase_unique UNIQUE REFERENCES purchases (id),
    account_id  TEXT COLLATE "C" NOT NULL REFERENCES accounts (id),
    issued_at   BIGINT NOT NULL,
    content     TEXT COLLATE "C" NOT NULL
);
CREATE INDEX invoices_by_account ON invoices (account_id, number);
CREATE TABLE invoice_numbers (
    series      TEXT COLLATE "C" PRIMARY KEY,
    last_number BIGINT NOT NULL
);

-- Credits that are bought by themselves when few are left, and the card that pays them.
CREATE TABLE top_ups (
    account_id     TEXT COLLATE "C" PRIMARY KEY REFERENCES accounts (id),
    customer       TEXT COLLATE "C",
    payment_method TEXT COLLATE "C",
    card           TEXT COLLATE "C",
    below          BIGINT,
    credits        BIGINT,
    monthly_limit  BIGINT,
    currency       TEXT COLLATE "C",
    stopped        TEXT COLLATE "C",
    stopped_at     BIGINT,
    card_at        BIGINT NOT NULL DEFAULT 0,
    updated_at     BIGINT NOT NULL
);
CREATE INDEX top_ups_on ON top_ups (account_id) WHERE below IS NOT NULL;
ALTER TABLE purchases ADD COLUMN automatic BIGINT NOT NULL DEFAULT 0;
-- The card that an automatic purchase is charged to, whatever card the account has later.
ALTER TABLE purchases ADD COLUMN card_customer TEXT COLLATE "C";
ALTER TABLE purchases ADD COLUMN card_method TEXT COLLATE "C";
