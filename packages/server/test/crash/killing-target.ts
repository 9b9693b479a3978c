// A target of an operator's own that erases in a real database, and kills the server once, with -9, at
// a given point: the file in `once` remembers that it did.
import { existsSync, writeFileSync } from 'node:fs';
import { createSqlConnector } from '../../src/connectors/sql/create-sql-connector.ts';
import type { Connector } from '../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../src/domain/target/target.ts';
import { eraseFound } from '../helpers/erase-found.ts';

export const KILL_POINTS = [
  'before the erase',
  'after the erase',
  'after the verification',
] as const;
export type KillPoint = (typeof KILL_POINTS)[number];

export interface KillingOptions {
  readonly target: SqlTargetConfig;
  readonly point: KillPoint;
  readonly once: string;
}

export default function createConnector(options: Record<string, unknown>): Connector {
  const { target, point, once } = options as unknown as KillingOptions;
  const real = createSqlConnector(target, { hash: (value) => value });

  function killAt(here: KillPoint): void {
    if (here !== point || existsSync(once)) return;
    writeFileSync(once, '');
    // The server first: this is a process of its own.
    process.kill(process.ppid, 'SIGKILL');
    process.kill(process.pid, 'SIGKILL');
  }

  return {
    ...real,
    async erase(orders) {
      killAt('before the erase');
      const erasures = await eraseFound(real, orders);
      killAt('after the erase');
      return erasures;
    },
    async verify(orders) {
      const verdicts = await real.verify(orders);
      killAt('after the verification');
      return verdicts;
    },
  };
}
