-- Rows of the audit log are authenticated, and what a request said when it was created. The server writes the MACs of
-- rows that are there already.
ALTER TABLE audit_rows ADD COLUMN mac BLOB;
ALTER TABLE requests ADD COLUMN created_mac BLOB;

-- Pauses are few, and asked for with every batch.
CREATE INDEX audit_of_pauses ON audit_rows (audit_no)
  WHERE action IN ('erasing.paused', 'erasing.resumed');
