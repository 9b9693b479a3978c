// A target of an operator's own that erases in a real database, and asks the test before each step
// whether it may go on: what happens in between is for the test to do.
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import {
  type Connector,
  type EraseOrder,
  type Erasure,
  totalOf,
} from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { orderAll } from '../../helpers/erase-found.ts';

export interface AskingOptions {
  readonly target: SqlTargetConfig;
  /** Gets a POST whose body is the step; its answer lets the step begin. */
  readonly ask: string;
}

export default function createConnector(options: Record<string, unknown>): Connector {
  const { target, ask } = options as unknown as AskingOptions;
  const real = createSqlConnector(target, { hash: (value) => value });

  async function askFor<T>(step: string, work: () => Promise<T>): Promise<T> {
    const answer = await fetch(ask, { method: 'POST', body: step });
    await answer.text();
    return work();
  }

  return {
    ...real,
    preview: (subjects) => askFor('preview', () => real.preview(subjects)),
    erase: (orders) => askFor('erase', () => eraseAsOrdered(real, orders as readonly EraseOrder[])),
    verify: (orders) => askFor('verify', () => real.verify(orders)),
  };
}

/** A module is told what it may erase: of a person who has more, nothing is touched, and a new preview is asked for. */
async function eraseAsOrdered(real: Connector, orders: readonly EraseOrder[]): Promise<Erasure[]> {
  const allowed = new Map(orders.map(({ taskNo, counts }) => [taskNo, totalOf(counts)]));
  const erasures = await real.erase(orders, {
    decide: (subjects, previews) =>
      orderAll(subjects, previews).filter(
        ({ taskNo, counts }) => totalOf(counts) <= (allowed.get(taskNo) ?? 0),
      ),
    record: async () => true,
  });
  return erasures.map((one) => (one.outcome === 'left_out' ? { outcome: 'grown' } : one));
}
