// PostgreSQL finds a request by its id as a uuid, a column of its own. Only where that is what the id says is it the request that is
// meant: the id is under a MAC, the column beside it is not.

/** For a condition. On SQLite both are one column. */
export const SAME_ID = 'request_uuid::text = lower(subject_request_id)';
