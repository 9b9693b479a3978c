// Every target's gate at the start and every hour, also while there is nothing to erase.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type CheckLine,
  type Connector,
  TargetDown,
} from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig, TargetConfig } from '../../../src/domain/target/target.ts';
import type { OpenCircuit } from '../../../src/domain/task/fulfilment-ports.ts';
import { createGate, GATE_LASTS_MS } from '../../../src/fulfilment/gate/gate.ts';
import { createGateChore, createGateDue } from '../../../src/fulfilment/gate/gate-chore.ts';
import { aTarget as sqlTarget, tablesWork } from '../../connectors/sql/sql-target.ts';
import { START } from '../../contract/fulfilment/under-test.ts';
import { until } from '../../helpers/until.ts';
import { aTarget, type BatchWorld, openBatchWorld } from '../batch-world.ts';
import { createMemoryConnector } from '../memory-connector.ts';

const SHOP: SqlTargetConfig = sqlTarget(
  { connector: 'sqlite', address: '/srv/shop.db' },
  tablesWork([]),
);
const PROBLEM: CheckLine = { level: 'problem', subject: 'orders', message: 'has no primary key' };

describe('the chore that checks targets', () => {
  it('targets are checked at the start, and every hour', async () => {
    const due = createGateDue([SHOP]);
    expect(await due.isDue(START)).toBe(true);
    expect(await due.isDue(START + GATE_LASTS_MS - 1)).toBe(false);
    expect(await due.isDue(START + GATE_LASTS_MS)).toBe(true);
  });

  it('the chore never runs if no target has a gate', async () => {
    expect(await createGateDue([aTarget()]).isDue(START)).toBe(false);
    expect(await createGateDue([]).isDue(START)).toBe(false);
  });
});

describe('looking at a target', () => {
  let world: BatchWorld;
  let gates: Record<string, () => Promise<CheckLine[]>>;
  let told: string[];
  beforeEach(async () => {
    world = await openBatchWorld();
    gates = { shop: async () => [] };
    told = [];
  });
  afterEach(() => world.close());

  let looked = 0;
  const connectorOf = async ({ name }: TargetConfig): Promise<Connector> => ({
    ...createMemoryConnector(),
    gate: async () => {
      try {
        return { problems: (await gates[name]?.()) ?? [], accepted: {} };
      } finally {
        looked += 1;
      }
    },
  });

  async function look(now: number, targets: readonly TargetConfig[] = [SHOP]): Promise<void> {
    const chore = createGateChore({
      store: world.under.store,
      targets,
      connectorOf,
      release: () => undefined,
      gate: createGate(() => now),
      probeDelay: (failures) => failures * 1000,
      onRefused: (target, code, detail) => told.push(`${target} ${code} ${detail}`),
    });
    await chore.run(now);
  }

  const circuit = (name = 'shop') => world.under.store.circuit(name);
  const isRefused = async () => (await circuit())?.code === 'target_refused';
  const untilLooked = async (times: number) =>
    until(
      async () => looked >= times,
      () => 'it was not looked at',
    );

  it('closes the gate with the problem’s text, and reports it once', async () => {
    gates.shop = async () => [PROBLEM];
    await look(START);
    await until(isRefused, () => 'it is not refused');
    expect(await circuit()).toMatchObject<Partial<OpenCircuit>>({
      code: 'target_refused',
      detail: 'orders: has no primary key',
      failures: 1,
      openedTime: START,
      probeTime: START + 1000,
    });
    const before = looked;
    await look(START + GATE_LASTS_MS);
    await untilLooked(before + 1);
    expect(await circuit()).toMatchObject({ openedTime: START });
    expect(told).toEqual(['shop target_refused orders: has no primary key']);
  });

  it('raises another alarm for another problem', async () => {
    gates.shop = async () => [PROBLEM];
    await look(START);
    await until(isRefused, () => 'it is not refused');
    gates.shop = async () => [{ ...PROBLEM, subject: 'notes' }];
    await look(START + GATE_LASTS_MS);
    await until(
      async () => told.length === 2,
      () => 'it was not told',
    );
    expect((await circuit())?.detail).toBe('notes: has no primary key');
  });

  it('opens it again when the problem is gone', async () => {
    gates.shop = async () => [PROBLEM];
    await look(START);
    await until(isRefused, () => 'it is not refused');
    gates.shop = async () => [];
    await look(START + GATE_LASTS_MS);
    await until(
      async () => (await circuit()) === undefined,
      () => 'it is still refused',
    );
  });

  it('leaves an unreachable target to its circuit breaker', async () => {
    const before = looked;
    gates.shop = () => Promise.reject(new TargetDown('unreachable', 'it is away'));
    await look(START);
    await untilLooked(before + 1);
    expect(await circuit()).toBeUndefined();
    expect(told).toEqual([]);
  });

  it('does not wait for a target that does not answer, and skips targets without a gate', async () => {
    gates = { hanging: () => new Promise(() => undefined), shop: async () => [PROBLEM] };
    await look(START, [{ ...SHOP, name: 'hanging' }, SHOP, aTarget()]);
    await until(isRefused, () => 'it is not refused');
    expect(await circuit('crm')).toBeUndefined();
    expect(await circuit('hanging')).toBeUndefined();
  });
});
