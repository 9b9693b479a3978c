// The real SDK, loaded as an operator does it, on a server that erases.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeProcessInstallation, type TestInstallation } from '../e2e/set-up/installation.ts';
import { createFindLeaks } from '../helpers/find-leaks.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';

const SDK = fileURLToPath(new URL('../helpers/servers/traced.mjs', import.meta.url));
const MARK = 'zebrafish';
const EMAIL = `${MARK}@example.net`;
const findLeaks = createFindLeaks([MARK]);

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly status: { readonly code: number };
  readonly traceId: string;
  readonly spanId: string;
  readonly parent: string | null;
  readonly ms: number;
}

describe('a server with an SDK of OpenTelemetry', () => {
  let folder: TemporaryFolder;
  let unwrite: TestInstallation;
  let metricsUrl: string;
  let id: string;
  const tracesFile = () => join(folder.path, 'traces.jsonl');

  const spans = (): Span[] =>
    readFileSync(tracesFile(), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    const shop = join(folder.path, 'shop.db');
    const database = new DatabaseSync(shop);
    database.exec(`PRAGMA journal_mode = WAL;
      CREATE TABLE customers (id INTEGER PRIMARY KEY, email TEXT COLLATE NOCASE UNIQUE);
      INSERT INTO customers (email) VALUES ('${EMAIL}')`);
    database.close();
    const port = await freePort();
    metricsUrl = `http://127.0.0.1:${port}/metrics`;
    unwrite = await makeProcessInstallation(
      folder.path,
      `cancellation_window: 0s
targets:
  shop:
    connector: sqlite
    file: ${shop}
    controllers: [acme]
    tables: [{ table: customers, match: { email: email } }]
`,
      {
        UNWRITE_LOG_LEVEL: 'trace',
        UNWRITE_MANAGEMENT_PORT: String(port),
        NODE_OPTIONS: `--import ${SDK}`,
        TRACES_FILE: tracesFile(),
      },
    );
    await unwrite.start();
    id = await unwrite.submit('acme', [['email', EMAIL]]);
    await unwrite.untilCompleted('acme', [id]);
    await until(
      async () => spans().some(({ name }) => name === 'batch'),
      () => 'there is no span of the batch',
    );
  });
  afterAll(async () => {
    await unwrite.kill('SIGTERM');
    folder.remove();
  });

  it('has a span of each call, and one of a batch with the calls of its connector', () => {
    const call = spans().find(({ name }) => name === 'POST /requests');
    expect(call).toMatchObject({
      kind: 1,
      parent: null,
      attributes: { 'http.route': 'POST /requests', 'http.response.status_code': 201 },
      status: { code: 0 },
    });
    const batch = spans().find(({ name }) => name === 'batch');
    expect(batch).toMatchObject({
      kind: 0,
      parent: null,
      attributes: { 'unwrite.target': 'shop', 'unwrite.tasks': 1, 'unwrite.outcome': 'done' },
    });
    const below = spans().filter(({ parent }) => parent === batch?.spanId);
    expect(below.map(({ name }) => name)).toEqual(expect.arrayContaining(['erase', 'verify']));
    // Before a batch, or by itself before there was one.
    expect(spans().map(({ name }) => name)).toContain('gate');
    for (const { kind, traceId, attributes, ms } of below) {
      expect([kind, traceId]).toEqual([2, batch?.traceId]);
      expect(attributes).toEqual({ 'unwrite.target': 'shop', 'unwrite.outcome': 'answered' });
      expect(ms).toBeLessThanOrEqual(batch?.ms ?? 0);
    }
  });

  it('has no identity in traces, metrics, the log, what doctor says, or a backup', async () => {
    const metrics = await (await fetch(metricsUrl)).text();
    expect(metrics).toContain('unwrite_rows_erased_total{target="shop"} 1');
    const doctor = await unwrite.print('doctor', '--json');
    expect(doctor.stdout).toContain('"subject": "target shop"');
    await unwrite.command('backup', 'create', '--to', folder.path);
    const [backup = ''] = globSync(join(folder.path, '*.backup'));
    const verified = await unwrite.command('backup', 'verify', backup);
    const places: [string, string | Uint8Array][] = [
      ['the traces', readFileSync(tracesFile())],
      ['the metrics', metrics],
      ['the log', unwrite.output()],
      ['doctor', doctor.stdout + doctor.stderr],
      ['the backup', readFileSync(backup)],
      ['its manifest', JSON.stringify(verified)],
      ['the list', JSON.stringify(await unwrite.command('request', 'show', id))],
    ];
    expect(places.flatMap(([place, text]) => findLeaks(place, text))).toEqual([]);
    expect(unwrite.output()).toContain('POST');
  });
});
