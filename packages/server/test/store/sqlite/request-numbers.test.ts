import { randomUUID } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import type { SubjectRequestId } from '@unwrite/protocol';
import { expect, it, onTestFinished } from 'vitest';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';
import { prepareAppendAudit } from '../../../src/store/sqlite/audit.ts';
import { prepareCreateRequest } from '../../../src/store/sqlite/create-request.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open-store.ts';
import { TEST_AUTHENTICATOR, withTestMacs } from '../../helpers/stores/row-macs.ts';
import { makeTemporaryFolder } from '../../helpers/temporary-folder.ts';

it('a number that the audit log has is not given to another request after the first was forgotten', async () => {
  const folder = makeTemporaryFolder();
  const store = withTestMacs(openSqliteStore(folder.path, () => 1));
  const controllerId = 'acme' as ControllerId;
  const controller = { controllerId, name: null, ssoOrganisation: null, createdTime: 1 };
  await store.tenantWriter.addController(controller, 'system');
  const database = new DatabaseSync(store.databasePath);
  onTestFinished(async () => {
    database.close();
    await store.close();
    folder.remove();
  });
  /** As after a start. */
  function create(): number {
    const append = prepareAppendAudit(database, TEST_AUTHENTICATOR);
    const seal = () => {
      throw new Error('there is nothing to seal');
    };
    const request = {
      controllerId,
      subjectRequestId: randomUUID() as SubjectRequestId,
      regulation: 'gdpr',
      submittedTime: '2026-11-15T00:00:00Z',
      identities: [],
      actor: 'client:one',
    } as unknown as NewRequest;
    prepareCreateRequest(database, seal, append, TEST_AUTHENTICATOR)(request, 1);
    return Number(database.prepare('SELECT max(request_no) AS no FROM requests').get()?.no);
  }
  expect([create(), create()]).toEqual([1, 2]);
  database.exec('DELETE FROM requests');
  expect(create()).toBe(3);
  // Cut for their age: nothing can be taken for another's any more.
  database.exec('DELETE FROM requests; DELETE FROM audit_rows');
  expect(create()).toBe(1);
});
