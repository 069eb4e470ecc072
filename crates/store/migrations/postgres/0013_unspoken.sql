-- How many letters of each script a material's text has, as in chunks.scripts: what no voice of its language says is told from
-- it. NULL for materials that were read before.
ALTER TABLE materials ADD COLUMN scripts TEXT;
