// Writes down what this process says to its store, and asks the database how it does it.
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';

/** Where a read from end to end grows with the requests. */
const BIG = new Set([
  'requests',
  'archived_requests',
  'tasks',
  'audit_rows',
  'audit_heads',
  'identity_digests',
  'alarms',
  'receipts',
  'sealed_identities',
  'intents',
  'watched_requests',
  'new_audit_rows',
]);

const FEW_ROWS = 5000;

export interface Recorder {
  /** What is said from now on is said for this call. */
  during(call: string): void;
  /** Reads of big tables without an index, a line each. */
  scans(): Promise<string[]>;
}

interface Said {
  readonly call: string;
  readonly values: unknown[];
}

export function recordSqlite(databasePath: string): Recorder {
  const said = new Map<string, string>();
  let now = '';
  const { prepare } = DatabaseSync.prototype;
  DatabaseSync.prototype.prepare = function record(this: DatabaseSync, ...given) {
    if (now !== '' && !said.has(given[0])) said.set(given[0], now);
    return prepare.apply(this, given);
  };
  return {
    during: (call) => {
      now = call;
    },
    async scans() {
      now = '';
      const database = new DatabaseSync(databasePath, { readOnly: true });
      const found = [...said].flatMap(([text, call]) =>
        planLines(database, text).map((line) => `${call}: ${line}: ${oneLine(text)}`),
      );
      database.close();
      return found;
    },
  };
}

function planLines(database: DatabaseSync, text: string): string[] {
  if (!isRead(text)) return [];
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all();
  return rows
    .map(({ detail }) => String(detail))
    .filter((detail) => {
      const [scan, name = '', way = ''] = /^SCAN (\w+)(.*)/.exec(detail) ?? [];
      if (scan === undefined) return false;
      const [, table = name] = new RegExp(`(\\w+) AS ${name}\\b`).exec(text) ?? [];
      return BIG.has(table) && !/USING (COVERING )?INDEX/.test(way);
    });
}

export function recordPostgres(url: string): Recorder {
  const said = new Map<string, Said>();
  let now = '';
  const { query } = pg.Client.prototype;
  // biome-ignore lint/suspicious/noExplicitAny: it has many shapes
  (pg.Client.prototype as any).query = function record(this: pg.Client, ...given: any[]) {
    const [first] = given;
    const text: unknown = typeof first === 'string' ? first : first?.text;
    if (now !== '' && typeof text === 'string' && !said.has(`${now} ${text}`)) {
      said.set(`${now} ${text}`, { call: now, values: first.values ?? [] });
    }
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  };
  return {
    during: (call) => {
      now = call;
    },
    async scans() {
      now = '';
      const client = new pg.Client(url);
      await client.connect();
      const found = new Map<string, string>();
      for (const [key, { call, values }] of said) {
        const text = key.slice(call.length + 1);
        if (!isRead(text)) continue;
        const { rows } = await client.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
        for (const scan of seqScans(rows[0]['QUERY PLAN'][0].Plan)) {
          const line = `${scan}: ${oneLine(text)}`;
          found.set(line, found.get(line) ?? call);
        }
      }
      await client.end();
      return [...found].map(([scan, call]) => `${call}: ${scan}`);
    },
  };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** A table of few rows, as that of rows which are sealed within a second, is read as a whole by any plan. */
function seqScans(node: PlanNode): string[] {
  const table = node['Relation Name'] ?? '';
  const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops'];
  const isScan = node['Node Type'] === 'Seq Scan' && BIG.has(table) && rows > FEW_ROWS;
  return [
    ...(isScan ? [`Seq Scan of ${table}, ${rows} rows`] : []),
    ...(node.Plans ?? []).flatMap(seqScans),
  ];
}

function isRead(text: string): boolean {
  return /^\s*(SELECT|WITH)\b/i.test(text) && !/\bpg_advisory/.test(text);
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 400);
}
