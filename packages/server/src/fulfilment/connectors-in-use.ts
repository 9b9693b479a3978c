// One connector a target, made when it is first needed. After trouble it is made anew: a connection
// that has seen its server die is not worth keeping.
import type { Connector } from '../domain/target/connector.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { asTargetDown, guardConnector } from './guard-connector.ts';

export interface ConnectorsInUse {
  connectorOf(target: TargetConfig): Promise<Connector>;
  close(): Promise<void>;
}

export function createConnectorsInUse(
  make: (target: TargetConfig) => Promise<Connector>,
): ConnectorsInUse {
  const inUse = new Map<string, Connector>();

  async function drop(name: string): Promise<void> {
    const connector = inUse.get(name);
    inUse.delete(name);
    await connector?.close().catch(() => undefined);
  }

  return {
    async connectorOf(target) {
      const known = inUse.get(target.name);
      if (known !== undefined) return known;
      const made = await asTargetDown(() => make(target));
      const guarded = guardConnector(made, () => drop(target.name));
      inUse.set(target.name, guarded);
      return guarded;
    },
    async close() {
      await Promise.all([...inUse.keys()].map(drop));
    },
  };
}
