-- The stretches of a chunk's text that its document marks as another language's: a JSON list of start and end, in bytes, and a
-- BCP 47 tag. They are read by that language's rules where the voice knows its sounds.
ALTER TABLE chunk_texts ADD COLUMN languages TEXT NOT NULL DEFAULT '[]';
