// What a store says to PostgreSQL, written down, and how the server would do it.
import pg from 'pg';
import { postgresStatement } from '../../../src/store/dialect.ts';
import type {
  Database,
  DatabaseOptions,
  Sql,
  Transaction,
  Values,
} from '../../../src/store/postgres/database.ts';
import { Rows } from '../../../src/store/sql.ts';

export interface Recorded {
  /** The port that said it. */
  readonly by: string;
  readonly text: string;
  readonly values: Values;
  readonly isPrepared: boolean;
}

export interface Recorder {
  /** The same database, listened to. */
  readonly database: Database;
  readonly recorded: Recorded[];
  /** Whatever is said meanwhile is said by this one. */
  during<T>(by: string, work: () => Promise<T>): Promise<T>;
}

export function recordStatements(real: Database): Recorder {
  const recorded: Recorded[] = [];
  let who = 'nobody';

  function listen(sql: Sql, isPrepared: boolean): Sql {
    const note = (text: string, values: Values = []) => {
      recorded.push({ by: who, text, values, isPrepared });
    };
    return {
      dialect: sql.dialect,
      rowMacs: sql.rowMacs,
      all(text, values) {
        note(text, values);
        return sql.all(text, values);
      },
      get(text, values) {
        note(text, values);
        return sql.get(text, values);
      },
      run(text, values) {
        note(text, values);
        return sql.run(text, values);
      },
    };
  }

  const listened = (database: Database, isPrepared: boolean) => ({
    schema: database.schema,
    ...listen(database, isPrepared),
    transaction: <T>(work: (sql: Transaction) => Promise<T>) =>
      database.transaction((sql) => work({ ...sql, ...listen(sql, isPrepared) })),
    snapshot: <T>(read: (sql: Sql) => Promise<T>) =>
      database.snapshot((sql) => read(listen(sql, isPrepared))),
    close: database.close,
  });
  const plain = listened(real.unprepared, false);
  const unprepared: Database = {
    ...plain,
    get unprepared() {
      return unprepared;
    },
  };
  return {
    database: { ...listened(real, true), unprepared },
    recorded,
    async during(by, work) {
      who = by;
      return work();
    },
  };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Plan Rows': number;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A table that a statement read, in which way, and how many rows of it. */
export interface Scan {
  readonly how: string;
  readonly table: string;
  readonly rows: number;
}

export interface Explainer {
  /** As it is done when it has been said a few times: the server may plan prepared ones for any values. */
  scansOf(recorded: Recorded): Promise<Scan[]>;
  close(): Promise<void>;
}

/** As many as PostgreSQL plans for the values given, before it thinks about a plan for all; and one more. */
const SAID = 7;
const UNIQUE_VIOLATION = '23505';

/** `byIndex`: a table is read from end to end only where no index leads to its rows, however few it has. */
export async function openExplainer(
  { url, schema }: DatabaseOptions,
  byIndex = false,
): Promise<Explainer> {
  const client = new pg.Client(url);
  await client.connect();
  if (byIndex) await client.query('SET enable_seqscan = off');

  /** Done and undone. */
  async function explain(sql: string, values: unknown[] = []): Promise<PlanNode> {
    await client.query('BEGIN');
    try {
      const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${sql}`, values);
      return rows[0]['QUERY PLAN'][0].Plan;
    } catch (error) {
      // What was created once cannot be created again: then only as it would be done.
      if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
      await client.query('ROLLBACK');
      const { rows } = await client.query(`EXPLAIN (FORMAT JSON) ${sql}`, values);
      return rows[0]['QUERY PLAN'][0].Plan;
    } finally {
      await client.query('ROLLBACK');
    }
  }

  async function explainPrepared(text: string, values: unknown[]): Promise<PlanNode> {
    await client.query(`PREPARE said AS ${text}`);
    try {
      const given = values.length === 0 ? '' : `(${values.map(literalOf).join(', ')})`;
      let plan = await explain(`EXECUTE said${given}`);
      for (let times = 1; times < SAID; times++) plan = await explain(`EXECUTE said${given}`);
      return plan;
    } finally {
      await client.query('DEALLOCATE said');
    }
  }

  return {
    async scansOf({ text, values, isPrepared }) {
      const statement = postgresStatement(text, schema, !Array.isArray(values));
      const inOrder = Array.isArray(values)
        ? values
        : statement.names.map((name) => {
            const value = (values as Readonly<Record<string, unknown>>)[name];
            return value instanceof Rows ? value.asJson() : value;
          });
      const plan = isPrepared
        ? await explainPrepared(statement.text, inOrder)
        : await explain(statement.text, inOrder);
      return scansIn(plan);
    },
    close: () => client.end(),
  };
}

function scansIn(node: PlanNode): Scan[] {
  const below = (node.Plans ?? []).flatMap(scansIn);
  const table = node['Relation Name'];
  if (table === undefined || !node['Node Type'].includes('Scan')) return below;
  const read =
    (node['Actual Rows'] ?? node['Plan Rows']) +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return [{ how: node['Node Type'], table, rows: read * (node['Actual Loops'] ?? 1) }, ...below];
}

function literalOf(value: unknown): string {
  if (value === null || value === undefined) return 'NULL';
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(elementOf).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

function elementOf(value: unknown): string {
  if (value === null) return 'NULL';
  const text =
    value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : String(value);
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
