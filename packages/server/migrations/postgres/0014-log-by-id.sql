-- The log is asked by the id of a request, which no hand can take from under the MACs of its rows. By its number alone, a
-- request that was given another one had no rows.
DROP INDEX @audit_of_request;
CREATE INDEX audit_of_request ON @audit_rows (lower(subject_request_id))
  WHERE action <> 'request.created';

-- That the store went back in time, and that an operator confirmed it, are asked for with pauses.
DROP INDEX @audit_of_pauses;
CREATE INDEX audit_of_pauses ON @audit_rows (audit_no)
  WHERE action IN ('erasing.paused', 'erasing.resumed', 'store.went_back', 'store.restore_confirmed');
