-- The program knows what mails are for, not the table.
ALTER TABLE outgoing_mails DROP CONSTRAINT outgoing_mails_purpose_known;
