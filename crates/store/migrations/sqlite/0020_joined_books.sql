-- A chunk's audio as whole books are joined from it: an MP3 and an AAC file. A program of before leaves these columns as they are, so
-- they count only when their names go with that of the lossless audio; without them the lossless audio is encoded again.
ALTER TABLE chunks ADD COLUMN mp3_object TEXT;
ALTER TABLE chunks ADD COLUMN aac_object TEXT;
ALTER TABLE chunk_old_audio ADD COLUMN mp3_object TEXT;
ALTER TABLE chunk_old_audio ADD COLUMN aac_object TEXT;
