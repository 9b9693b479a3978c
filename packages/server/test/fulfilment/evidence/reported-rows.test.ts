// What a target reported as erased stays on record, also when a person decides otherwise afterwards.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import type { NewRequest } from '../../../src/domain/request/request.ts';
import {
  type Counts,
  type Erasure,
  TargetDown,
  type Verdict,
} from '../../../src/domain/target/connector.ts';
import { makeFullReceipt } from '../../../src/receipts/make-full-receipt.ts';
import { BY } from '../../contract/fulfilment/under-test.ts';
import { makeFacts, NOON, PROOF } from '../../receipts/facts.ts';
import { type BatchWorld, FIRST_RETRY_MS, openBatchWorld } from '../batch-world.ts';

const WHY = { reason: 'an open lawsuit', legalBasis: 'Art. 17(3)(e) GDPR' };

describe('rows that a target reported as erased', () => {
  let world: BatchWorld;
  let request: NewRequest;
  beforeEach(async () => {
    world = await openBatchWorld();
    request = await world.erasureOf(['jane@example.com']);
    finds({ people: 3 });
    reports({ people: 2 });
  });
  afterEach(() => world.close());

  const tricks = () => world.connector.tricks;
  function finds(counts: Counts): void {
    tricks().preview = async () => [
      { outcome: 'found', counts, retained: {}, keys: {}, sharedWith: [] },
    ];
  }
  function reports(counts: Counts): void {
    tricks().erase = async () => [{ outcome: 'erased', counts }];
  }
  const remains: Verdict = { outcome: 'remains', counts: byName([['people', 1]]) };
  const task = () => world.scene.task(request, 'crm');

  async function retain() {
    await world.under.operator.retain((await task()).taskNo, WHY, BY);
    return await world.evidenceOf(request);
  }

  it('are in the evidence of a task that is retained after its verification failed', async () => {
    tricks().verify = async () => [remains];
    await world.run();
    expect(await task()).toMatchObject({ state: 'failed', reason: 'still_there' });
    const evidence = await retain();
    expect(evidence).toMatchObject({
      action: 'retained',
      verified: 'reported, not re-queried',
      tables: { people: { action: 'erase', rows: 2 } },
      legal_basis: WHY.legalBasis,
    });
  });

  it('are on the receipt next to what is retained', async () => {
    tricks().verify = async () => [remains];
    await world.run();
    const evidence = await retain();
    if (evidence === null) throw new Error('there is no evidence');
    const receipt = makeFullReceipt(makeFacts([evidence]), {
      domain: 'd',
      keyId: 'k',
      now: NOON,
      proof: PROOF,
    });
    expect(receipt.retained).toMatchObject([{ legal_basis: WHY.legalBasis }]);
    expect(receipt.tasks[0]?.tables).toEqual([{ table: 'people', action: 'erase', rows: 2 }]);
    expect(receipt.totals.rows_erased).toBe(2);
    expect(receipt.not_found_anywhere).toBe(false);
  });

  it('are kept if the target goes down before it could be verified', async () => {
    tricks().verify = async () => {
      throw new TargetDown('unreachable', 'it is away');
    };
    await world.run();
    expect(await task()).toMatchObject({ state: 'waiting', reported: { people: { rows: 2 } } });
    expect(await retain()).toMatchObject({ tables: { people: { rows: 2 } } });
  });

  it('are kept if it reported more than was ordered, even after a release', async () => {
    const held: Erasure = {
      outcome: 'held',
      reason: 'more_than_previewed',
      detail: 'more',
      erased: { people: 7 },
    };
    tricks().erase = async () => [held];
    await world.run();
    expect(await task()).toMatchObject({ state: 'held', reported: { people: { rows: 7 } } });
    finds({});
    reports({});
    tricks().verify = async () => [{ outcome: 'gone', how: 'requeried' }];
    await world.under.operator.release((await task()).taskNo, BY);
    world.clock.now = BY.now;
    await world.run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'erased',
      tables: { people: { rows: 7 } },
    });
  });

  it('add up over attempts, and not beyond what was intended', async () => {
    tricks().verify = async () => [remains];
    for (const rows of [2, 3, 3]) {
      await world.run();
      expect((await task()).reported).toMatchObject({ people: { rows } });
      world.clock.now += 4 * FIRST_RETRY_MS;
    }
  });

  it('are empty if nothing was reported', async () => {
    reports({ people: 0 });
    tricks().verify = async () => [remains];
    await world.run();
    expect(await task()).toMatchObject({ state: 'failed', reported: null });
    expect(await retain()).toMatchObject({ tables: {}, verified: 'not applicable' });
  });
});
