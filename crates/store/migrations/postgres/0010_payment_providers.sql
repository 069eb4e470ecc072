-- The program knows the payment providers, not the table, so that one can be added without a migration.
ALTER TABLE purchases DROP CONSTRAINT purchases_provider_known;
