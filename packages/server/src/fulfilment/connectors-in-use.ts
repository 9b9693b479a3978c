// One connector a target, made when it is first needed. After trouble it is made anew: a connection
// that has seen its server die is not worth keeping.
import { type Connector, TargetDown } from '../domain/connector.ts';
import type { TargetConfig } from '../domain/target.ts';

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

/** Whatever a connector throws is about its target; its text stays behind, as it may quote data. */
async function asTargetDown<T>(
  work: () => Promise<T>,
  onTrouble?: () => Promise<void>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await onTrouble?.();
    if (error instanceof TargetDown) throw error;
    // A name can be given at will; one that does not look like a class of errors may be anything.
    const given = error instanceof Error ? error.name : '';
    const name = /^[A-Za-z]{1,40}Error$|^Error$/.test(given) ? given : 'unknown';
    throw new TargetDown('connector_error', `the connector failed unexpectedly (${name})`);
  }
}

function guardConnector(connector: Connector, drop: () => Promise<void>): Connector {
  const { resolve } = connector;
  return {
    check: () => asTargetDown(() => connector.check(), drop),
    preview: (subjects) => asTargetDown(() => connector.preview(subjects), drop),
    erase: (orders) => asTargetDown(() => connector.erase(orders), drop),
    verify: (orders) => asTargetDown(() => connector.verify(orders), drop),
    close: () => connector.close(),
    ...(resolve !== undefined && {
      resolve: (subjects) => asTargetDown(() => resolve.call(connector, subjects), drop),
    }),
  };
}
