// The columns of an intent are for anybody who can write to the database; what it was is sealed.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import type { LeasedTask, StoredIntent } from '../../../src/domain/task/fulfilment-ports.ts';
import { openIntent, sealIntents } from '../../../src/fulfilment/intent/intents.ts';
import { createMasterKeyRing } from '../../../src/vault/master-key.ts';
import { createKeysVault } from '../../../src/vault/seal-keys.ts';
import { aRequest } from '../../contract/fulfilment/under-test.ts';

describe('an intent that was changed in the database', () => {
  const vault = createKeysVault(createMasterKeyRing([randomBytes(32)]));
  const none = { identities: [], intent: null, reported: null, attempts: 1, allowedRows: null };
  const task: LeasedTask = { ...aRequest(), taskNo: 7, ...none };
  const intended = { counts: byName([['orders', 3]]), retained: byName<number>(), keys: byName() };
  const [sealed] = sealIntents(vault, 'crm', 'plan 1', [
    { task, intended: { ...intended, keys: byName<never>() } },
  ]);
  const openWith = (changes: Partial<StoredIntent>, taskNo = 7) => {
    if (sealed === undefined) throw new Error('there is no intent');
    const intent = { ...sealed, firstAttemptTime: 0, ...changes };
    return openIntent(vault, 'crm', { ...task, taskNo, intent });
  };

  it('says the numbers of rows and the plan that it was made with', () => {
    const counts = byName([['orders', 888]]);
    expect(openWith({ counts, retained: counts, plan: 'plan 2' })).toMatchObject({
      state: 'recorded',
      plan: 'plan 1',
      counts: { orders: 3 },
      retained: {},
    });
  });

  it('does not open for another task of the same request and target', () => {
    expect(() => openWith({}, 8)).toThrow('the intent is that of another task');
  });
});
