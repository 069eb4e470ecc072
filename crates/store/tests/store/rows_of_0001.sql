-- Rows of every table as the program of schema 0001 wrote them: invitations, a grant, publications and acceptances, samples, a
-- synthesis with and without a key, one of a test key, and one cut off by a kill with its hold open. {…} is hexadecimal
-- bytes. The one event was written by hand, because nothing told of events yet.
INSERT INTO store_settings (name, value)
    VALUES ('master_key_fingerprint', 'ac65066f9c380b0b528dc40992cbb719ab70ec48691da1752fb1dfb65364384a');
INSERT INTO accounts (id, email, email_key, state, email_confirmed_at, password_hash, tier, has_purchased_credits, terms_accepted_version, privacy_accepted_version, created_at, updated_at)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'Ada@example.com', 'ada@example.com', 'invited', 1795269334150804, NULL, 'free', 1, '2026-11-20', '2026-11-01', 1795269333555828, 1795269334150804);
INSERT INTO accounts (id, email, email_key, state, email_confirmed_at, password_hash, tier, has_purchased_credits, terms_accepted_version, privacy_accepted_version, created_at, updated_at)
    VALUES ('acc_01a1fe64128471de87af97bdf57a4757', 'ben@example.com', 'ben@example.com', 'invited', NULL, NULL, 'premium', 0, NULL, NULL, 1795269333636321, 1795269333636321);
INSERT INTO invites (account_id, token_hash, created_at, expires_at, used_at)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', {dd9f2580c772207b368987ad7ba8b7ddfe30c30a7853960d0b4f1184c4eeb3aa}, 1795269333555828, 1796478933555828, NULL);
INSERT INTO invites (account_id, token_hash, created_at, expires_at, used_at)
    VALUES ('acc_01a1fe64128471de87af97bdf57a4757', {d1bb8594e68c61ae67d4f213e341cea8d9b36c20080ebbe4bbb519650f850e31}, 1795269333636321, 1796478933636321, NULL);
INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash, hint, created_at, expires_at, last_used_at, revoked_at)
    VALUES ('key_01a1fe64123372c1907d4081d195b0ed', 'acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'First live key', 1, 1, 1, {427cba1a2e50a2a5288a3a4044332aaee733c030e7173e68fec0f150c897942b}, 'KMe0', 1795269333555828, NULL, 1795269338677354, NULL);
INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash, hint, created_at, expires_at, last_used_at, revoked_at)
    VALUES ('key_01a1fe64123372c1907d408292514598', 'acc_01a1fe64123372c1907d4082bd7a9473', 'test', 'First test key', 1, 1, 1, {9ffae80c40b0f98cf4495e7dc02b3c54a461cc94401d3837b10b79b22e6f2e13}, 'urfl', 1795269333555828, NULL, 1795269338893489, NULL);
INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash, hint, created_at, expires_at, last_used_at, revoked_at)
    VALUES ('key_01a1fe64128471de87af97bd7c876576', 'acc_01a1fe64128471de87af97bdf57a4757', 'live', 'First live key', 1, 1, 1, {7c220e111f68fd633fc925258fa73873d105547e1f0cc1231fd215bc41711b4c}, 'gvTa', 1795269333636321, NULL, NULL, NULL);
INSERT INTO api_keys (id, account_id, environment, name, scope_read, scope_write, scope_admin, hash, hint, created_at, expires_at, last_used_at, revoked_at)
    VALUES ('key_01a1fe64128471de87af97bdd2949930', 'acc_01a1fe64128471de87af97bdf57a4757', 'test', 'First test key', 1, 1, 1, {7837ccc68b42c2d3d8480974a45d51509543cd30fa577d17aa5cf8d0b1533492}, 'KQuI', 1795269333636321, NULL, NULL, NULL);
INSERT INTO consent_documents (document, version, body, published_at)
    VALUES ('privacy', '2026-11-01', 'Be kind; it''s free.
', 1795269334031575);
INSERT INTO consent_documents (document, version, body, published_at)
    VALUES ('terms', '2026-11-01', 'Be kind; it''s free.
', 1795269333870676);
INSERT INTO consent_documents (document, version, body, published_at)
    VALUES ('terms', '2026-11-20', 'Be kind; it''s free.
', 1795269334086856);
INSERT INTO consent_current (document, version)
    VALUES ('privacy', '2026-11-01');
INSERT INTO consent_current (document, version)
    VALUES ('terms', '2026-11-20');
INSERT INTO consent_acceptances (account_id, document, version, accepted_by, accepted_at)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'privacy', '2026-11-01', 'operator', 1795269334056568);
INSERT INTO consent_acceptances (account_id, document, version, accepted_by, accepted_at)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'terms', '2026-11-01', 'operator', 1795269334056568);
INSERT INTO consent_acceptances (account_id, document, version, accepted_by, accepted_at)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'terms', '2026-11-20', 'operator', 1795269334126516);
INSERT INTO account_balances (account_id, balance, held, last_seq)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 4972, 4320, 8);
INSERT INTO account_balances (account_id, balance, held, last_seq)
    VALUES ('acc_01a1fe64128471de87af97bdf57a4757', 40, 0, 1);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe64123776a285d8ce673abd4795', 'acc_01a1fe64123372c1907d4082bd7a9473', 1, 'purchase', 5000, 'sys:sales', 'acc_01a1fe64123372c1907d4082bd7a9473', 5000, 0, NULL, NULL, 1795269333555828);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe64133f70bdab141c5382425f5a', 'acc_01a1fe64128471de87af97bdf57a4757', 1, 'grant', 40, 'sys:grants', 'acc_01a1fe64128471de87af97bdf57a4757', 40, 0, NULL, 'operator', 1795269333822813);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe64263570ae80f06aba0b7e991e', 'acc_01a1fe64123372c1907d4082bd7a9473', 2, 'hold', -13, 'acc_01a1fe64123372c1907d4082bd7a9473', 'acc_01a1fe64123372c1907d4082bd7a9473:held', 5000, 13, 'txn_01a1fe64263570ae80f06aba0b7e991e', 'syn_01a1fe64263570ae80f06ab9541697de', 1795269338677805);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe6426a775068412a3470879376a', 'acc_01a1fe64123372c1907d4082bd7a9473', 3, 'release', 13, 'acc_01a1fe64123372c1907d4082bd7a9473:held', 'acc_01a1fe64123372c1907d4082bd7a9473', 5000, 0, 'txn_01a1fe64263570ae80f06aba0b7e991e', 'syn_01a1fe64263570ae80f06ab9541697de', 1795269338790213);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe6426a775068412a34766bbde8e', 'acc_01a1fe64123372c1907d4082bd7a9473', 4, 'charge', -13, 'acc_01a1fe64123372c1907d4082bd7a9473', 'sys:revenue', 4987, 0, 'txn_01a1fe64263570ae80f06aba0b7e991e', 'syn_01a1fe64263570ae80f06ab9541697de', 1795269338790213);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe6426b171768adc300ef7a97ede', 'acc_01a1fe64123372c1907d4082bd7a9473', 5, 'hold', -15, 'acc_01a1fe64123372c1907d4082bd7a9473', 'acc_01a1fe64123372c1907d4082bd7a9473:held', 4987, 15, 'txn_01a1fe6426b171768adc300ef7a97ede', 'syn_01a1fe6426b171768adc300e0b0bb33a', 1795269338801106);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe64270b75c995f8ce2500d6fbaa', 'acc_01a1fe64123372c1907d4082bd7a9473', 6, 'release', 15, 'acc_01a1fe64123372c1907d4082bd7a9473:held', 'acc_01a1fe64123372c1907d4082bd7a9473', 4987, 0, 'txn_01a1fe6426b171768adc300ef7a97ede', 'syn_01a1fe6426b171768adc300e0b0bb33a', 1795269338891473);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe64270b75c995f8ce2528a5e5e2', 'acc_01a1fe64123372c1907d4082bd7a9473', 7, 'charge', -15, 'acc_01a1fe64123372c1907d4082bd7a9473', 'sys:revenue', 4972, 0, 'txn_01a1fe6426b171768adc300ef7a97ede', 'syn_01a1fe6426b171768adc300e0b0bb33a', 1795269338891473);
INSERT INTO ledger_transactions (id, account_id, seq, kind, credits, from_account, to_account, balance_after, held_after, hold_id, reference, created_at)
    VALUES ('txn_01a1fe6427847760960c0339707e6cc6', 'acc_01a1fe64123372c1907d4082bd7a9473', 8, 'hold', -4320, 'acc_01a1fe64123372c1907d4082bd7a9473', 'acc_01a1fe64123372c1907d4082bd7a9473:held', 4972, 4320, 'txn_01a1fe6427847760960c0339707e6cc6', 'syn_01a1fe6427847760960c033961f167a7', 1795269339012822);
INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at, settled_at, charged)
    VALUES ('txn_01a1fe64263570ae80f06aba0b7e991e', 'acc_01a1fe64123372c1907d4082bd7a9473', 13, '5b873298b73486e3bcbc704a802dded1', 1795269368677807, 'syn_01a1fe64263570ae80f06ab9541697de', 1795269338677805, 1795269338790213, 13);
INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at, settled_at, charged)
    VALUES ('txn_01a1fe6426b171768adc300ef7a97ede', 'acc_01a1fe64123372c1907d4082bd7a9473', 15, 'b2b431761beb1cac7dae73e921056f17', 1795269368801108, 'syn_01a1fe6426b171768adc300e0b0bb33a', 1795269338801106, 1795269338891473, 15);
INSERT INTO holds (id, account_id, credits, owner, lease_until, reference, created_at, settled_at, charged)
    VALUES ('txn_01a1fe6427847760960c0339707e6cc6', 'acc_01a1fe64123372c1907d4082bd7a9473', 4320, '1ec471bca5819973f6aa2654bcc594bb', 1795269369012824, 'syn_01a1fe6427847760960c033961f167a7', 1795269339012822, NULL, NULL);
INSERT INTO ereaders (id, slug, name, description, languages, gender, tier, engine, voice, sample_rate_hz, price_per_character, formats, active, created_at)
    VALUES ('erd_01a1fe641232733e980514098ef886ef', 'alma', 'Alma', 'A lower, unhurried voice; British, American if asked.', '["en-GB","en-US"]', 'female', 'premium', 'hibari', 'alma', 24000, 2, '["mp3","wav","flac","opus"]', 1, 1795269333554910);
INSERT INTO ereaders (id, slug, name, description, languages, gender, tier, engine, voice, sample_rate_hz, price_per_character, formats, active, created_at)
    VALUES ('erd_01a1fe641232733e9805140a5b167afa', 'heart', 'Heart', 'A warm, even voice for long reading; American, British if asked.', '["en-US","en-GB"]', 'female', 'free', 'hibari', 'heart', 24000, 1, '["mp3","wav","flac","opus"]', 1, 1795269333554910);
INSERT INTO ereader_samples (ereader_id, language_key, language, object_key, etag, bytes, created_at)
    VALUES ('erd_01a1fe641232733e980514098ef886ef', 'en-gb', 'en-GB', 'samples/erd_01a1fe641232733e980514098ef886ef-en-gb.mp3', '"60815b-660c9b7108a7e-eb70"', 60272, 1795269336276841);
INSERT INTO ereader_samples (ereader_id, language_key, language, object_key, etag, bytes, created_at)
    VALUES ('erd_01a1fe641232733e980514098ef886ef', 'en-us', 'en-US', 'samples/erd_01a1fe641232733e980514098ef886ef-en-us.mp3', '"608150-660c9b71b775e-ef30"', 61232, 1795269337002924);
INSERT INTO ereader_samples (ereader_id, language_key, language, object_key, etag, bytes, created_at)
    VALUES ('erd_01a1fe641232733e9805140a5b167afa', 'en-gb', 'en-GB', 'samples/erd_01a1fe641232733e9805140a5b167afa-en-gb.mp3', '"608160-660c9b72cbd3e-e7b0"', 59312, 1795269338124240);
INSERT INTO ereader_samples (ereader_id, language_key, language, object_key, etag, bytes, created_at)
    VALUES ('erd_01a1fe641232733e9805140a5b167afa', 'en-us', 'en-US', 'samples/erd_01a1fe641232733e9805140a5b167afa-en-us.mp3', '"60815f-660c9b723d3fe-ec30"', 60464, 1795269337542003);
INSERT INTO syntheses (id, account_id, environment, key_id, ereader_id, characters, credits_charged, format, sample_rate_hz, duration_ms, object_key, bytes, etag, created_at, delete_after, deleted_at)
    VALUES ('syn_01a1fe64263570ae80f06ab9541697de', 'acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'key_01a1fe64123372c1907d4081d195b0ed', 'erd_01a1fe641232733e9805140a5b167afa', 13, 13, 'mp3', 24000, 825, 'syntheses/syn_01a1fe64263570ae80f06ab9541697de.mp3', 7384, '"6081e2-660c9b736defe-1cd8"', 1795269338790213, 1795359338790213, NULL);
INSERT INTO syntheses (id, account_id, environment, key_id, ereader_id, characters, credits_charged, format, sample_rate_hz, duration_ms, object_key, bytes, etag, created_at, delete_after, deleted_at)
    VALUES ('syn_01a1fe6426b171768adc300e0b0bb33a', 'acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'key_01a1fe64123372c1907d4081d195b0ed', 'erd_01a1fe641232733e9805140a5b167afa', 15, 15, 'mp3', 24000, 960, 'syntheses/syn_01a1fe6426b171768adc300e0b0bb33a.mp3', 8540, '"6081e3-660c9b738753e-215c"', 1795269338891473, 1795359338891473, NULL);
INSERT INTO syntheses (id, account_id, environment, key_id, ereader_id, characters, credits_charged, format, sample_rate_hz, duration_ms, object_key, bytes, etag, created_at, delete_after, deleted_at)
    VALUES ('syn_01a1fe64270d76d9a362ae8264126847', 'acc_01a1fe64123372c1907d4082bd7a9473', 'test', 'key_01a1fe64123372c1907d408292514598', 'erd_01a1fe641232733e9805140a5b167afa', 12, 0, 'mp3', 24000, 915, 'syntheses/syn_01a1fe64270d76d9a362ae8264126847.mp3', 8150, '"6081e4-660c9b73a0b7e-1fd6"', 1795269339000410, 1795359339000410, NULL);
INSERT INTO idempotency_keys (account_id, environment, method, path, key, fingerprint, owner, lease_until, takeovers, hold_id, created_at, expires_at, finished_at, status, content_type, body, sealed)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'POST', '/v1/saas/tts:synthesize', 'cut-off-1', {996e9634b7bc895e8658d7cef2a276b9c6ec10916c10e1966dca76733900df35}, '1ec471bca5819973f6aa2654bcc594bb', 1795269369012824, 0, 'txn_01a1fe6427847760960c0339707e6cc6', 1795269339012822, 1795355739012822, NULL, NULL, NULL, NULL, 0);
INSERT INTO idempotency_keys (account_id, environment, method, path, key, fingerprint, owner, lease_until, takeovers, hold_id, created_at, expires_at, finished_at, status, content_type, body, sealed)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'POST', '/v1/saas/tts:synthesize', 'done-1', {7c367ed3ea28e3dd4a2cb473fcb52833139338763e5a75903ae363078ac6caf7}, 'b2b431761beb1cac7dae73e921056f17', 1795269368801108, 0, 'txn_01a1fe6426b171768adc300ef7a97ede', 1795269338801106, 1795355738801106, 1795269338891473, 200, 'application/json', {7b226964223a2273796e5f3031613166653634323662313731373638616463333030653062306262333361222c22617564696f5f75726c223a22687474703a2f2f3132372e302e302e313a34333637332f6d656469612f73796e7468657365732f73796e5f30316131666536343236623137313736386164633330306530623062623333612e6d70333f657870697265733d31373935333535373338267369676e61747572653d64383262663436353434373734313234343439393565636534353638663965386336643661636466336135613066636266666163313762646166386231626334222c22657870697265735f6174223a22323032362d31312d32325431333a35353a33382e3030305a222c22666f726d6174223a226d7033222c22657265616465725f6964223a226572645f3031613166653634313233323733336539383035313430613562313637616661222c2263686172616374657273223a31352c22637265646974735f63686172676564223a31352c226475726174696f6e5f6d73223a3936302c2273616d706c655f726174655f687a223a32343030307d}, 0);
INSERT INTO idempotency_keys (account_id, environment, method, path, key, fingerprint, owner, lease_until, takeovers, hold_id, created_at, expires_at, finished_at, status, content_type, body, sealed)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 'test', 'POST', '/v1/saas/tts:synthesize', 'done-1', {a288b9acf4ea0ab46e36bc75dd57ccb8efabc038ce9cb5c4caa08c676ab0acbb}, '776287f3f4c68421aef872d4356d8b36', 1795269368893813, 0, NULL, 1795269338893812, 1795355738893812, 1795269339000410, 200, 'application/json', {7b226964223a2273796e5f3031613166653634323730643736643961333632616538323634313236383437222c22617564696f5f75726c223a22687474703a2f2f3132372e302e302e313a34333637332f6d656469612f73796e7468657365732f73796e5f30316131666536343237306437366439613336326165383236343132363834372e6d70333f657870697265733d31373935333535373339267369676e61747572653d39633030376337363163366537616565343165303261386462633961653630376662333733306638353635386530366164393731616531623262303536353738222c22657870697265735f6174223a22323032362d31312d32325431333a35353a33392e3030305a222c22666f726d6174223a226d7033222c22657265616465725f6964223a226572645f3031613166653634313233323733336539383035313430613562313637616661222c2263686172616374657273223a31322c22637265646974735f63686172676564223a302c226475726174696f6e5f6d73223a3931352c2273616d706c655f726174655f687a223a32343030307d}, 0);
INSERT INTO events (id, account_id, environment, kind, data, created_at)
    VALUES ('evt_01a1fe64263570ae80f06ab9541697de', 'acc_01a1fe64123372c1907d4082bd7a9473', 'live', 'chunk.completed', '{}', 1795269338790213);
INSERT INTO sandbox_usage (account_id, day, characters)
    VALUES ('acc_01a1fe64123372c1907d4082bd7a9473', 20778, 12);
