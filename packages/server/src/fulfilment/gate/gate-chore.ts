// Checks every target's gate at the start and every hour, even while there is nothing to erase: a problem
// should be known before it affects a request.
import type { Chore, DueChore } from '../../domain/chore.ts';
import { type Connector, TargetDown } from '../../domain/target/connector.ts';
import { SQL_CONNECTORS, type TargetConfig } from '../../domain/target/target.ts';
import { TARGET_REFUSED } from '../../domain/target/target-refused.ts';
import type { FulfilmentStore } from '../../domain/task/fulfilment-ports.ts';
import { GATE_LASTS_MS, type Gate } from './gate.ts';

const NAME = 'checking targets';

/** Makes the check due at the start of the thread that polls, and every hour. */
export function createGateDue(targets: readonly TargetConfig[]): DueChore {
  const isAny = targets.some(hasGate);
  let nextTime = 0;
  return {
    name: NAME,
    async isDue(now) {
      if (!isAny || now < nextTime) return false;
      nextTime = now + GATE_LASTS_MS;
      return true;
    },
  };
}

export interface GateChoreParts {
  readonly store: Pick<FulfilmentStore, 'circuit' | 'openCircuit' | 'closeCircuit'>;
  readonly targets: readonly TargetConfig[];
  readonly connectorOf: (target: TargetConfig) => Promise<Connector>;
  readonly release: (connector: Connector) => void;
  readonly gate: Gate;
  readonly probeDelay: (failures: number) => number;
  readonly onRefused: (target: string, code: string, detail: string) => void;
}

export function createGateChore(parts: GateChoreParts): Chore {
  const { targets } = parts;
  return {
    ...createGateDue(targets),
    // Not awaited: a target that does not answer must not keep the other chores waiting.
    async run(now) {
      for (const target of targets.filter(hasGate))
        void look(parts, target, now).catch(() => undefined);
    },
  };
}

async function look(parts: GateChoreParts, target: TargetConfig, now: number): Promise<void> {
  const { store, connectorOf, release, gate, probeDelay, onRefused } = parts;
  const { name } = target;
  gate.forget(name);
  let connector: Connector | undefined;
  try {
    connector = await connectorOf(target);
    await gate.pass(target, connector);
  } catch (error) {
    // An unreachable target is reported when a task is due there.
    if (!(error instanceof TargetDown) || error.code !== TARGET_REFUSED) return;
    const circuit = await store.circuit(name);
    if (circuit?.code === TARGET_REFUSED && circuit.detail === error.message) return;
    const failures = (circuit?.failures ?? 0) + 1;
    await store.openCircuit({
      target: name,
      code: error.code,
      detail: error.message,
      failures,
      openedTime: now,
      probeTime: now + probeDelay(failures),
    });
    onRefused(name, error.code, error.message);
    return;
  } finally {
    if (connector !== undefined) release(connector);
  }
  if ((await store.circuit(name))?.code === TARGET_REFUSED) await store.closeCircuit(name);
}

function hasGate({ connector }: TargetConfig): boolean {
  return SQL_CONNECTORS.some((it) => it === connector);
}
