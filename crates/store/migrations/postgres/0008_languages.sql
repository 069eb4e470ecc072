-- Who said in which language a material is: its document, its text's look, or its owner. Rows of before say only that one was
-- known. A chunk is read in the language of the conversion that asked for it; null where that was before this, when the
-- material's speech_language counts.
ALTER TABLE materials ADD COLUMN language_source TEXT CONSTRAINT materials_language_source_known CHECK (language_source IN ('declared', 'detected', 'given'));
ALTER TABLE chunks ADD COLUMN speech_language TEXT;
-- How many letters of each script a chunk has; null until they were counted.
ALTER TABLE chunks ADD COLUMN scripts TEXT;
-- Tags were stored as documents declared them. Those that name no language would now refuse every e-reader.
UPDATE materials SET language = REPLACE(language, '_', '-') WHERE language LIKE '%!_%' ESCAPE '!';
UPDATE materials SET language = NULL
WHERE LOWER(language) IN ('', 'und', 'mul', 'zxx', 'mis') OR LOWER(language) LIKE 'und-%' OR LOWER(language) LIKE 'x-%';
UPDATE materials SET language_source = CASE WHEN status = 'processing' THEN 'given' ELSE 'declared' END WHERE language IS NOT NULL;
