// The service's own database, looked into or disturbed from outside.
import { DatabaseSync } from 'node:sqlite';
import { prepareAppendAudit } from '../../../src/store/sqlite/audit.ts';
import { databasePathIn } from '../../../src/store/sqlite/open-store.ts';
import type { TestService } from '../servers/service.ts';

export function withDatabase<T>(service: TestService, use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(databasePathIn(service.dataDir), { timeout: 5000 });
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Puts a request into a state as the work behind the API would, with its row in the log. */
export function setStatus(service: TestService, subjectRequestId: unknown, status: string): void {
  forgeStatus(service, subjectRequestId, status);
  if (status !== 'completed' && status !== 'cancelled') return;
  withDatabase(service, (database) => {
    const { no, controller, id } = database
      .prepare(`SELECT request_no AS no, controller_id AS controller, subject_request_id AS id
        FROM requests WHERE subject_request_id = ?`)
      .get(String(subjectRequestId)) as { no: number; controller: string; id: string };
    const appendAudit = prepareAppendAudit(database, {
      macOf: service.installation.store.rowMacs.compute,
    });
    const row = { time: Date.now(), actor: 'system', action: `request.${status}` } as const;
    const key = { controllerId: controller, subjectRequestId: id };
    appendAudit({ ...row, ...key, detail: null }, no);
  });
}

/** As somebody does who can write to the database. */
export function forgeStatus(service: TestService, subjectRequestId: unknown, status: string): void {
  const { changes } = withDatabase(service, (database) =>
    database
      .prepare('UPDATE requests SET status = ? WHERE subject_request_id = ?')
      .run(status, String(subjectRequestId)),
  );
  if (changes !== 1) throw new Error(`${changes} requests with this id`);
}

export function countRequests(service: TestService): number {
  return withDatabase(service, (database) => {
    const row = database.prepare('SELECT count(*) AS count FROM requests').get();
    return Number(row?.count);
  });
}
