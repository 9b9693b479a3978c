-- Rows of the audit log are authenticated, and what a request said when it was created. The server writes the MACs of
-- rows that are there already.
ALTER TABLE audit_rows ADD COLUMN mac BLOB;
ALTER TABLE requests ADD COLUMN created_mac BLOB;
