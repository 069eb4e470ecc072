-- The address that a document was fetched from.
ALTER TABLE materials ADD COLUMN source_url TEXT;
-- Text recognition of a scan: its pages, those that were read, and the mean confidence in their words, in percent.
ALTER TABLE materials ADD COLUMN ocr_pages INTEGER;
ALTER TABLE materials ADD COLUMN ocr_pages_read INTEGER;
ALTER TABLE materials ADD COLUMN ocr_confidence INTEGER;
