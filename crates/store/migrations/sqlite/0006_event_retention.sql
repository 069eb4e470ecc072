-- Events are deleted when they are old. Its twin in ../postgres has the same index.
CREATE INDEX webhook_deliveries_by_event ON webhook_deliveries (event_id);
