// A target of an operator's own that erases in a real database, and asks the test before each step
// whether it may go on: what happens in between is for the test to do.
import { createSqlConnector } from '../../../src/connectors/sql/create-sql-connector.ts';
import type { Connector } from '../../../src/domain/target/connector.ts';
import type { SqlTargetConfig } from '../../../src/domain/target/target.ts';
import { eraseFound } from '../../helpers/erase-found.ts';

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
    erase: (orders) => askFor('erase', () => eraseFound(real, orders)),
    verify: (orders) => askFor('verify', () => real.verify(orders)),
  };
}
