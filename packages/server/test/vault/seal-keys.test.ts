import { randomBytes } from 'node:crypto';
import type { SubjectRequestId } from '@unwrite/protocol';
import { describe, expect, it } from 'vitest';
import type { RequestKey } from '../../src/domain/request/request.ts';
import type { ControllerId } from '../../src/domain/tenant/controller-id.ts';
import { createMasterKeyRing } from '../../src/vault/master-key.ts';
import { createKeysVault } from '../../src/vault/seal-keys.ts';
import { intendedRows } from '../contract/fulfilment/under-test.ts';

const ID = '3f2b8c1e-9d4a-4e6f-8a1b-2c3d4e5f6a7b';
const ROWS = intendedRows({ customers: [['jane@example.com']] });

function key(controllerId: string, subjectRequestId: string): RequestKey {
  return {
    controllerId: controllerId as ControllerId,
    subjectRequestId: subjectRequestId as SubjectRequestId,
  };
}

describe('sealed keys of rows', () => {
  const vault = createKeysVault(createMasterKeyRing([randomBytes(32)]));
  const sealed = vault.seal(key('acme', ID), 'crm', ROWS);

  it('open to what was sealed, whatever the case in which the id is written', () => {
    expect(vault.open(key('acme', ID.toUpperCase()), 'crm', sealed).keys).toEqual(ROWS.keys);
  });

  it.each([
    ['another controller', key('globex', ID), 'crm'],
    ['another request', key('acme', ID.replace('3f', '4f')), 'crm'],
    ['another target', key('acme', ID), 'shop'],
  ])('do not open for %s', (_, request, target) => {
    expect(() => vault.open(request, target, sealed)).toThrow();
  });

  it('hold nothing in clear', () => {
    const bytes = Buffer.concat([sealed.sealed, sealed.wrappedKey]);
    expect(bytes.includes('jane')).toBe(false);
    expect(bytes.includes('customers')).toBe(false);
  });
});
