// The status of many requests by the audit log, as a node asks for it that compares its files when it starts.
import { randomUUID } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { expect, it } from 'vitest';
import type { RowMacs } from '../../src/domain/keys/row-macs.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createLoggedStatus } from '../../src/store/shared/requests/logged-status.ts';
import type { Database } from '../../src/store/sql.ts';

const RECEIVED = 1000;
const CONTROLLER = 'acme' as ControllerId;
const keys = Array.from({ length: 200 }, () => ({
  controllerId: CONTROLLER,
  subjectRequestId: randomUUID() as SubjectRequestId,
}));

function rowOf(key: (typeof keys)[number]) {
  const rest = { actor: 'client:1', detail: null, requestNo: 1, mac: null };
  return { ...key, ...rest, time: RECEIVED + 1, action: 'request.cancelled' };
}

it('statuses that are asked for together are read together, and each request gets its own rows', async () => {
  const statements: string[] = [];
  const database = {
    dialect: { arrivalTable: '@new_audit_rows' },
    async all(text: string) {
      statements.push(text);
      return keys.map(rowOf);
    },
  } as unknown as Database;
  const macs = { verify: () => true } as unknown as RowMacs;
  const read = createLoggedStatus(database, macs);
  const states = keys.map(({ subjectRequestId }) => {
    return { subjectRequestId, status: 'cancelled', receivedTime: RECEIVED } as const;
  });
  const found = await Promise.all(
    states.map((state) => read({ ...state, controllerId: CONTROLLER }, state)),
  );
  expect(new Set(found)).toEqual(new Set(['cancelled']));
  expect(statements).toHaveLength(1);
});
