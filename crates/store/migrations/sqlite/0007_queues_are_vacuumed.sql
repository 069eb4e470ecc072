-- SQLite has no dead rows to walk past. Its twin in ../postgres says when tables are vacuumed.
SELECT 1;
