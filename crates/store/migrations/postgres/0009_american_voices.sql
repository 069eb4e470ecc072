-- The network of the embedded engine was trained on American speech only, and reads British phonemes wrong. No e-reader on it
-- claims another language; tags of other regions are still taken, and sound American.
UPDATE ereaders SET languages = '["en-US"]' WHERE engine = 'hibari';
UPDATE ereaders SET description = 'A warm, even voice for long reading; American.'
    WHERE description = 'A warm, even voice for long reading; American, British if asked.';
UPDATE ereaders SET description = 'A lower, unhurried voice; American.'
    WHERE description = 'A lower, unhurried voice; British, American if asked.';
INSERT INTO object_deletions (object_key, due_at)
    SELECT object_key, 0 FROM ereader_samples
    WHERE language_key <> 'en-us' AND ereader_id IN (SELECT id FROM ereaders WHERE engine = 'hibari')
    ON CONFLICT (object_key) DO NOTHING;
DELETE FROM ereader_samples
    WHERE language_key <> 'en-us' AND ereader_id IN (SELECT id FROM ereaders WHERE engine = 'hibari');
