// One connector per target, created on first use. After a failure the next batch gets a new one, because a
// connection whose server died is not worth keeping. The old one is closed when the last batch that uses it is done,
// so that a failure of one batch does not interrupt the erasing of another.
import type { Connector } from '../domain/target/connector.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { asTargetDown, guardConnector } from './guard-connector.ts';

export interface ConnectorsInUse {
  /** Valid until `release` or `close`. */
  connectorOf(target: TargetConfig): Promise<Connector>;
  release(connector: Connector): void;
  close(): Promise<void>;
}

interface Entry {
  readonly making: Promise<Connector>;
  users: number;
  /** True after a failure. */
  isRetired: boolean;
}

export function createConnectorsInUse(
  make: (target: TargetConfig) => Promise<Connector>,
): ConnectorsInUse {
  const current = new Map<string, Entry>();
  const entryOf = new WeakMap<Connector, Entry>();
  const all = new Set<Entry>();
  const closing = new Set<Promise<void>>();

  function open(target: TargetConfig): Entry {
    const making = asTargetDown(() => make(target)).then((made) => {
      const guarded = guardConnector(made, async () => retire(target.name, entry));
      entryOf.set(guarded, entry);
      return guarded;
    });
    const entry: Entry = { making, users: 0, isRetired: false };
    making.catch(() => {
      all.delete(entry);
      if (current.get(target.name) === entry) current.delete(target.name);
    });
    current.set(target.name, entry);
    all.add(entry);
    return entry;
  }

  function retire(name: string, entry: Entry): void {
    if (current.get(name) === entry) current.delete(name);
    entry.isRetired = true;
    if (entry.users === 0) end(entry);
  }

  function end(entry: Entry): void {
    if (!all.delete(entry)) return;
    const closed = entry.making
      .then((connector) => connector.close())
      .catch(() => undefined)
      .finally(() => closing.delete(closed));
    closing.add(closed);
  }

  return {
    async connectorOf(target) {
      const entry = current.get(target.name) ?? open(target);
      entry.users++;
      return await entry.making;
    },
    release(connector) {
      const entry = entryOf.get(connector);
      if (entry === undefined) return;
      entry.users--;
      if (entry.isRetired && entry.users === 0) end(entry);
    },
    async close() {
      current.clear();
      for (const entry of all) end(entry);
      await Promise.all(closing);
    },
  };
}
