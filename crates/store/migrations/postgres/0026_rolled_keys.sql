-- How many microseconds a key was made to last, kept when it is rolled and ends earlier. 0: for ever.
ALTER TABLE api_keys ADD COLUMN lifetime_us BIGINT;
