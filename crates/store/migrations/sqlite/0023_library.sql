-- What the owner sorts materials by.
CREATE TABLE material_tags (
    material_id TEXT NOT NULL REFERENCES materials (id),
    account_id  TEXT NOT NULL REFERENCES accounts (id),
    environment TEXT NOT NULL,
    tag         TEXT NOT NULL,
    PRIMARY KEY (material_id, tag)
) STRICT;
CREATE INDEX material_tags_of_account ON material_tags (account_id, environment);

-- Links under which people without an account listen to a material. The secret part of a link is derived from its id.
CREATE TABLE material_shares (
    id            TEXT NOT NULL,
    material_id   TEXT NOT NULL REFERENCES materials (id),
    password_hash TEXT,
    expires_at    INTEGER,
    created_at    INTEGER NOT NULL,
    PRIMARY KEY (id)
) STRICT;
CREATE INDEX material_shares_of_material ON material_shares (material_id);
