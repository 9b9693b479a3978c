// The check is a gate: while a problem stands, no task of the target runs.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { byName } from '../../../src/domain/by-name.ts';
import {
  type CheckLine,
  type Connector,
  type GateReport,
  TargetDown,
} from '../../../src/domain/target/connector.ts';
import { createGate, GATE_LASTS_MS } from '../../../src/fulfilment/gate/gate.ts';
import { makeFullReceipt } from '../../../src/receipts/make-full-receipt.ts';
import { renderReceipt } from '../../../src/receipts/render-receipt.ts';
import { makeFacts, makeSigned, makeSigner, NOON, PROOF } from '../../receipts/facts.ts';
import { aRow, aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';
import { createMemoryConnector } from '../memory-connector.ts';

const NO_KEY: CheckLine = {
  level: 'problem',
  subject: 'orders',
  message: 'has no primary key; name its "key" columns',
};
const PASSED: GateReport = { problems: [], accepted: {} };
const ACCEPTED = { 'unseen-triggers': 'looked at them, ticket 4711' };

/** A connector whose gate answers what is put in front. */
function createGatedConnector() {
  const memory = createMemoryConnector();
  const asking = { asked: 0, report: PASSED };
  const gate = async (): Promise<GateReport> => {
    asking.asked += 1;
    return asking.report;
  };
  const connector: Connector = { ...memory, gate };
  return Object.assign(asking, { memory, connector });
}

describe('the gate of a target', () => {
  let now = 0;
  const target = aTarget();
  const open = () => ({ gate: createGate(() => now), gated: createGatedConnector() });
  beforeEach(() => {
    now = 0;
  });

  it('is passed for an hour, and checked again then', async () => {
    const { gate, gated } = open();
    for (const time of [0, 1, GATE_LASTS_MS - 1]) {
      now = time;
      await gate.pass(target, gated.connector);
    }
    expect(gated.asked).toBe(1);
    now = GATE_LASTS_MS;
    await gate.pass(target, gated.connector);
    expect(gated.asked).toBe(2);
  });

  it('is checked again after a failure, and for another configuration', async () => {
    const { gate, gated } = open();
    await gate.pass(target, gated.connector);
    gate.forget(target.name);
    await gate.pass(target, gated.connector);
    await gate.pass(aTarget({ digest: 'another' }), gated.connector);
    expect(gated.asked).toBe(3);
  });

  it('is of each target', async () => {
    const { gate, gated } = open();
    await gate.pass(target, gated.connector);
    await gate.pass(aTarget({ name: 'shop' }), gated.connector);
    gate.forget('shop');
    await gate.pass(target, gated.connector);
    expect(gated.asked).toBe(2);
  });

  it('refuses with the texts of the problems, and looks again at once', async () => {
    const { gate, gated } = open();
    gated.report = { problems: [NO_KEY], accepted: {} };
    const refused = expect.objectContaining({
      code: 'target_refused',
      message: 'orders: has no primary key; name its "key" columns',
    });
    await expect(gate.pass(target, gated.connector)).rejects.toEqual(refused);
    await expect(gate.pass(target, gated.connector)).rejects.toEqual(refused);
    gated.report = PASSED;
    await gate.pass(target, gated.connector);
    expect(gated.asked).toBe(3);
  });

  it('names three problems, and how many more there are', async () => {
    const { gate, gated } = open();
    gated.report = { problems: Array(5).fill(NO_KEY), accepted: {} };
    await expect(gate.pass(target, gated.connector)).rejects.toThrow(
      /^(orders: [^|]* \| ){3}and 2 more: run "unwrite target check"$/,
    );
  });

  it('returns the accepted findings, each time it is passed', async () => {
    const { gate, gated } = open();
    gated.report = { problems: [], accepted: ACCEPTED };
    expect(await gate.pass(target, gated.connector)).toEqual(ACCEPTED);
    expect(await gate.pass(target, gated.connector)).toEqual(ACCEPTED);
  });

  it('is missing if there is nothing to check', async () => {
    const { gate } = open();
    expect(await gate.pass(target, createMemoryConnector())).toEqual(byName());
  });

  it('passes on that the target cannot be reached, which the circuit breaker handles', async () => {
    const { gate, gated } = open();
    const down = new TargetDown('unreachable', 'it is away');
    const away = { ...gated.connector, gate: () => Promise.reject(down) };
    await expect(gate.pass(target, away)).rejects.toBe(down);
  });
});

describe('the tasks of a target', () => {
  let world: BatchWorld;
  const gated = createGatedConnector();
  beforeEach(async () => {
    world = await openBatchWorld();
    gated.memory.rows = [aRow('jane@example.com')];
    gated.memory.calls.length = 0;
  });
  afterEach(() => world.close());

  const run = async () =>
    world.createRun(world.under.store, async () => gated.connector)(
      await world.scene.lease('crm'),
      aTarget(),
    );

  it('wait while it is refused, with the problem’s text, and nothing of it is touched', async () => {
    gated.report = { problems: [NO_KEY], accepted: {} };
    const request = await world.erasureOf(['jane@example.com']);
    const { down } = await run();
    expect(down?.code).toBe('target_refused');
    expect(await world.scene.task(request, 'crm')).toMatchObject({
      state: 'waiting',
      reason: 'target_refused',
      counts: null,
      detail: 'orders: has no primary key; name its "key" columns',
    });
    expect(gated.memory.calls).toEqual([]);
    expect(gated.memory.rows).toHaveLength(1);
  });

  it('continue by themselves when the problem is gone', async () => {
    gated.report = { problems: [NO_KEY], accepted: {} };
    const request = await world.erasureOf(['jane@example.com']);
    await run();
    gated.report = PASSED;
    await run();
    expect(await world.scene.statusOf(request)).toBe('completed');
  });

  it('have what was accepted in their evidence and on the receipt', async () => {
    gated.report = { problems: [], accepted: ACCEPTED };
    const request = await world.erasureOf(['jane@example.com']);
    await run();
    const evidence = await world.evidenceOf(request);
    expect(evidence).toMatchObject({ action: 'erased', accepted: ACCEPTED });
    if (evidence === null) throw new Error('there is no evidence');
    const receipt = makeFullReceipt(makeFacts([evidence]), {
      domain: 'd',
      keyId: 'k',
      now: NOON,
      proof: PROOF,
    });
    expect(receipt.tasks[0]).toMatchObject({ accepted: ACCEPTED });
    const page = renderReceipt(makeSigned(makeFacts([evidence]), makeSigner()));
    expect(page).toContain('unseen-triggers');
    expect(page).toContain('looked at them, ticket 4711');
  });

  it('have it in their evidence even if nothing was found', async () => {
    gated.memory.rows = [];
    gated.report = { problems: [], accepted: ACCEPTED };
    const request = await world.erasureOf(['jane@example.com']);
    await run();
    expect(await world.evidenceOf(request)).toMatchObject({
      action: 'not_found',
      accepted: ACCEPTED,
    });
  });
});
