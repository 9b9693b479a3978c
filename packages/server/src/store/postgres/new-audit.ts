/** The last number given to an audit row, even if that row has been cut since. */
const LAST_AUDIT_NO = `
  greatest(0, (SELECT max(audit_no) FROM @audit_rows),
           (SELECT last_audit_no FROM @audit_heads ORDER BY head_no DESC LIMIT 1))`;

/** Rows that have no number yet, with the numbers that they would get now. */
export const NEW_AUDIT_ROWS = `(
  SELECT ${LAST_AUDIT_NO} + row_number() OVER (ORDER BY arrival_no) AS audit_no, time, actor, action,
         controller_id, subject_request_id, detail, request_no, mac
  FROM @new_audit_rows)`;
