// The configurations that a history may have: what an operator could write, small enough to reach every limit.
import type { SqlTargetConfig, TargetConfig } from '../../../src/domain/target/target.ts';
import { aTable, tablesWork } from '../../connectors/sql/sql-target.ts';

/** The rows of one person that go without a person's decision. */
export const MAX_ROWS = 4;

export interface TargetChoices {
  /** A module: without transactions, and it cannot be asked how an attempt ended. */
  readonly crm: 'erase' | 'manual' | 'none';
  /** A database: with transactions, and it can be asked. */
  readonly shop: 'erase' | 'preview' | 'none';
  readonly cabinet: boolean;
  /** Shop looks up further identities first. */
  readonly resolve: boolean;
  readonly hours: boolean;
  readonly rowsPerDay: number | null;
  readonly whenUnmatched: 'hold' | 'skip';
  readonly concurrency: 1 | 2;
  readonly batchSize: 1 | 50;
  /** Where the shop is: another one is another database, by its address. */
  readonly place: 'first' | 'second';
}

export const FULL_CHOICES: TargetChoices = {
  crm: 'erase',
  shop: 'erase',
  cabinet: false,
  resolve: false,
  hours: false,
  rowsPerDay: null,
  whenUnmatched: 'hold',
  concurrency: 1,
  batchSize: 50,
  place: 'first',
};

const AT_NIGHT = { from: 22 * 60, to: 4 * 60, timeZone: 'Europe/Berlin', text: '22:00-04:00' };

export function targetsOf(choices: TargetChoices): TargetConfig[] {
  const digest = JSON.stringify(choices);
  const common = {
    controllers: null,
    maxRowsPerSubject: MAX_ROWS,
    maxRowsPerDay: choices.rowsPerDay,
    batchSize: choices.batchSize,
    concurrency: choices.concurrency,
    hours: null,
    whenUnmatched: choices.whenUnmatched,
    digest,
  } as const;
  const targets: TargetConfig[] = [];
  if (choices.crm === 'manual') targets.push(byHand('crm', digest));
  if (choices.crm === 'erase')
    targets.push({
      ...common,
      name: 'crm',
      connector: 'module',
      mode: 'erase',
      planDigest: 'crm-1',
      file: '/srv/crm.js',
      options: {},
      timeout: 60_000,
      hours: choices.hours ? AT_NIGHT : null,
    });
  if (choices.shop !== 'none')
    targets.push({
      ...common,
      ...shopWork(choices.resolve),
      name: 'shop',
      mode: choices.shop,
      planDigest: `shop${choices.place}-1`,
    });
  if (choices.cabinet) targets.push(byHand('cabinet', digest));
  return targets;
}

function byHand(name: string, digest: string): TargetConfig {
  return {
    name,
    connector: 'manual',
    mode: 'erase',
    controllers: null,
    maxRowsPerSubject: MAX_ROWS,
    maxRowsPerDay: null,
    batchSize: 50,
    concurrency: 1,
    hours: null,
    whenUnmatched: 'hold',
    digest,
    planDigest: `${name}-1`,
    instructions: null,
  };
}

function shopWork(resolves: boolean) {
  return {
    connector: 'sqlite',
    address: '/srv/shop.db',
    tenancy: { way: 'none' },
    work: tablesWork([aTable('customers', { match: { email: 'email' } })]),
    statementTimeout: 10_000,
    lockTimeout: 1000,
    resolve: resolves
      ? {
          table: 'customers',
          from: { type: 'email', column: 'email' },
          to: { type: 'email', column: 'other_email' },
          limit: 10,
        }
      : null,
    accept: {},
  } satisfies Partial<SqlTargetConfig>;
}
