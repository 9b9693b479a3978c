// PostgreSQL finds a request by its id in a uuid column. The row counts only if that column agrees with the id
// as text: the text is covered by a MAC, the uuid column is not.

/** A condition for statements. On SQLite both are one column. */
export const SAME_ID = 'request_uuid::text = lower(subject_request_id)';
