// What has changed since the last poll. Every change of a request and every action of an operator adds an audit row,
// so reading the end of that log is enough, on every node. Rows that are not sealed yet have arrival numbers.
import type { Changes, ChangesSeen } from '../../../domain/operator/view-ports.ts';
import type { Sql } from '../../sql.ts';
import { readCircuits } from '../tasks/circuits.ts';

const MAX_ROWS = 200;
const ROW = `action, controller_id AS "controllerId", subject_request_id AS "subjectRequestId"`;

interface Ends {
  readonly auditNo: number | null;
  readonly alarmNo: number | null;
  readonly arrivalNo: number | null;
}

export async function readChanges(sql: Sql, seen: ChangesSeen | undefined): Promise<Changes> {
  // If rows are numbered on arrival, there is only one table.
  const hasArrivals = sql.dialect.auditTables.length > 1;
  const ends = await sql.get<Ends>(
    `SELECT (SELECT max(audit_no) FROM @audit_rows) AS "auditNo",
            (SELECT max(alarm_no) FROM @alarms) AS "alarmNo",
            ${hasArrivals ? '(SELECT max(arrival_no) FROM @new_audit_rows)' : 'NULL'} AS "arrivalNo"`,
  );
  const circuits = (await readCircuits(sql))
    .map(({ target, code }) => `${target} ${code}`)
    .join('\n');
  const now: ChangesSeen = {
    auditNo: ends?.auditNo ?? seen?.auditNo ?? 0,
    alarmNo: Math.max(ends?.alarmNo ?? 0, seen?.alarmNo ?? 0),
    arrivalNo: Math.max(ends?.arrivalNo ?? 0, seen?.arrivalNo ?? 0),
    circuits,
  };
  if (seen === undefined) {
    return { seen: now, rows: [], hasMore: false, alarms: false, targets: false };
  }
  // A row that someone else wrote with a far larger number was removed again: rows that came in the
  // meantime have lower numbers.
  const isBack = now.auditNo < seen.auditNo;
  const rows = [
    ...(now.auditNo === seen.auditNo
      ? []
      : await rowsAfter(
          sql,
          'audit_no',
          '@audit_rows',
          isBack ? now.auditNo - MAX_ROWS : seen.auditNo,
        )),
    ...(now.arrivalNo > seen.arrivalNo
      ? await rowsAfter(sql, 'arrival_no', '@new_audit_rows', seen.arrivalNo)
      : []),
  ];
  return {
    seen: now,
    rows: rows.slice(0, MAX_ROWS),
    hasMore: isBack || rows.length > MAX_ROWS,
    alarms: now.alarmNo > seen.alarmNo,
    targets: now.circuits !== seen.circuits,
  };
}

function rowsAfter(sql: Sql, number: string, table: string, after: number) {
  return sql.all<Changes['rows'][number]>(
    `SELECT ${ROW} FROM ${table} WHERE ${number} > :after ORDER BY ${number} LIMIT ${MAX_ROWS + 1}`,
    { after },
  );
}
