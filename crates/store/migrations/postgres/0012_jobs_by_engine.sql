-- The engine that a job needs, so that a worker claims only what it can do; empty where it needs none, or where an older program
-- queued it and any worker may look.
ALTER TABLE jobs ADD COLUMN engine TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE jobs SET engine = COALESCE((SELECT e.engine FROM materials m JOIN ereaders e ON e.id = m.ereader_id WHERE m.id = jobs.material_id), '')
WHERE kind = 'convert_chunk';
-- jobs_to_claim stays for programs that do not know this.
CREATE INDEX jobs_to_claim_by_engine ON jobs (kind, engine, priority, account_id, turn, id, run_at) WHERE status = 'queued';
