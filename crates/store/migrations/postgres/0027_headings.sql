-- The headings inside a chunk's chapter: a JSON list of start and end, in bytes of its text.
ALTER TABLE chunk_texts ADD COLUMN headings TEXT NOT NULL DEFAULT '[]';
CREATE INDEX chunk_texts_headed ON chunk_texts (material_id, idx) WHERE headings <> '[]';
