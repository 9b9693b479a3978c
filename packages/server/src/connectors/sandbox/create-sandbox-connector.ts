// The target of a sandbox: it holds nothing, and answers as a database would that has the people asked for.
import { byName } from '../../domain/by-name.ts';
import {
  type Connector,
  type Counts,
  type Failed,
  type Found,
  type Subject,
  TargetDown,
} from '../../domain/target/connector.ts';
import { eraseByCall } from '../erase-as-previewed.ts';
import { sandboxName } from './sandbox-people.ts';

const SLOW_MS = 20_000;

const FAILING: Failed = {
  outcome: 'failed',
  code: 'sandbox_failure',
  detail: 'failing@… stands for a target that cannot erase a person; it is tried again and again',
};

export interface SandboxDeps {
  /** Rejects when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

export function createSandboxConnector({ wait }: SandboxDeps): Connector {
  const closing = new AbortController();

  async function beSlow(): Promise<void> {
    try {
      await wait(SLOW_MS, closing.signal);
    } catch {
      throw new TargetDown('sandbox_closed', 'the sandbox is shutting down');
    }
  }

  const preview: Connector['preview'] = async (subjects) => {
    const names = subjects.map(({ identities }) => sandboxName(identities));
    if (names.includes('slow')) await beSlow();
    return subjects.map((_, n) => (names[n] === 'failing' ? FAILING : found(names[n])));
  };

  return {
    isAtomic: true,
    async check() {
      return [
        { level: 'ok', subject: 'sandbox', message: 'nothing is erased: people are invented' },
      ];
    },
    preview,
    erase: eraseByCall(preview, async (orders) =>
      orders.map(({ counts }) => ({ outcome: 'erased', counts })),
    ),
    verify: async (orders: readonly Subject[]) =>
      orders.map(() => ({ outcome: 'gone', how: 'requeried' })),
    close: async () => closing.abort(),
  };
}

function found(name: ReturnType<typeof sandboxName>): Found {
  const retained = name === 'retained' ? { invoices: 2 } : {};
  return {
    outcome: 'found',
    counts: counted(rowsOf(name)),
    retained: counted(retained),
    keys: byName<never>(),
    sharedWith: [],
  };
}

function rowsOf(name: ReturnType<typeof sandboxName>): Record<string, number> {
  if (name === 'notfound') return {};
  // Above the target's cap: an operator has to release it, as in production.
  if (name === 'held') return { customers: 1, orders: 500 };
  return { customers: 1, orders: 3 };
}

function counted(rows: Record<string, number>): Counts {
  return byName(Object.entries(rows));
}
