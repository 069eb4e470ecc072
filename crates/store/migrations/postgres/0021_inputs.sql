-- The address that a document was fetched from.
ALTER TABLE materials ADD COLUMN source_url TEXT;
-- Text recognition of a scan: its pages, those that were read, and the mean confidence in their words, in percent.
ALTER TABLE materials ADD COLUMN ocr_pages BIGINT;
ALTER TABLE materials ADD COLUMN ocr_pages_read BIGINT;
ALTER TABLE materials ADD COLUMN ocr_confidence BIGINT;
