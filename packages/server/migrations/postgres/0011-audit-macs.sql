-- Rows of the audit log are authenticated, and what a request said when it was created. The server writes the MACs of
-- rows that are there already.
ALTER TABLE @new_audit_rows ADD COLUMN mac bytea;
ALTER TABLE @audit_rows ADD COLUMN mac bytea;
ALTER TABLE @requests ADD COLUMN created_mac bytea;
ALTER TABLE @archived_requests ADD COLUMN created_mac bytea;

-- Pauses are few, and asked for with every batch.
CREATE INDEX audit_of_pauses ON @audit_rows (audit_no)
  WHERE action IN ('erasing.paused', 'erasing.resumed');
