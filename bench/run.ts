// npm run bench: Unwrite against its rivals, interleaved in one run, medians. Ratios come first:
// absolute figures say more about the machine.
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { measureErasing } from './erase.ts';
import { hasWrk, type Load, type Measured, measure } from './load.ts';
import { startRival, startUnwrite, type UnwriteServer } from './servers.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    connections: { type: 'string', default: '64' },
    only: { type: 'string' },
  },
});
const rounds = Number(values.rounds);
const shared = { seconds: Number(values.seconds), connections: Number(values.connections) };

interface Contest {
  readonly name: string;
  readonly rivalName: string;
  readonly rival: Omit<Load, 'seconds' | 'connections'>;
  readonly ours: Omit<Load, 'seconds' | 'connections'>;
}

function median(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

async function hold(contest: Contest): Promise<string> {
  const warmUp = { ...shared, seconds: 2 };
  await measure({ ...contest.rival, ...warmUp });
  await measure({ ...contest.ours, ...warmUp });
  const rival: Measured[] = [];
  const ours: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    rival.push(await measure({ ...contest.rival, ...shared }));
    ours.push(await measure({ ...contest.ours, ...shared }));
  }
  const errors = [...rival, ...ours].reduce((sum, { errors }) => sum + errors, 0);
  if (errors > 0) throw new Error(`${contest.name}: ${errors} requests failed`);
  const of = (list: Measured[], key: keyof Measured) => median(list.map((it) => it[key]));
  return [
    contest.name,
    contest.rivalName,
    (of(ours, 'perSecond') / of(rival, 'perSecond')).toFixed(2),
    (of(ours, 'p99') / of(rival, 'p99')).toFixed(1),
    `${of(ours, 'perSecond').toFixed(0)} / ${of(rival, 'perSecond').toFixed(0)}`,
    `${of(ours, 'p99').toFixed(1)} / ${of(rival, 'p99').toFixed(1)}`,
  ].join(' | ');
}

function storedIds(server: UnwriteServer): { ids: string[]; idsFile: string } {
  const database = new DatabaseSync(join(server.dataDir, 'unwrite.db'), { readOnly: true });
  const rows = database.prepare('SELECT subject_request_id AS id FROM requests LIMIT 20000').all();
  database.close();
  const ids = (rows as { id: string }[]).map(({ id }) => id);
  const idsFile = join(server.dataDir, 'ids.txt');
  writeFileSync(idsFile, `${ids.join('\n')}\n`);
  return { ids, idsFile };
}

async function contestHttp(): Promise<void> {
  const floor = await startRival('floor.ts', 18_081);
  const unwrite = await startUnwrite(18_082);
  const provider = await startRival('oidc-provider.ts', 18_083);
  try {
    const { port, token, credentials } = unwrite;
    console.log(
      `Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model.trim()}, ${hasWrk ? 'wrk' : 'autocannon'}, ` +
        `${shared.connections} connections, medians of ${rounds} rounds of ${shared.seconds} s, interleaved\n`,
    );
    console.log(
      'what | rival | rate: ours ÷ rival | p99: ours ÷ rival | per second: ours / rival | p99 in ms: ours / rival',
    );
    console.log('--- | --- | --- | --- | --- | ---');
    const create = { kind: 'create', token } as const;
    console.log(
      await hold({
        name: 'create',
        rivalName: 'floor',
        rival: { ...create, port: floor.port },
        ours: { ...create, port },
      }),
    );
    const status = { kind: 'status', token, ...storedIds(unwrite) } as const;
    console.log(
      await hold({
        name: 'status',
        rivalName: 'floor',
        rival: { ...status, port: floor.port },
        ours: { ...status, port },
      }),
    );
    const { client_id, client_secret, audience } = credentials;
    const grant_type = 'client_credentials';
    const ourBody = JSON.stringify({ client_id, client_secret, audience, grant_type });
    const theirBody = new URLSearchParams({
      client_id: 'bench',
      client_secret: 'a-secret-of-some-length-for-the-benchmark',
      grant_type,
      scope: 'erase',
    }).toString();
    console.log(
      await hold({
        name: 'token',
        rivalName: 'oidc-provider, JWT',
        rival: {
          kind: 'token',
          port: provider.port,
          tokenRequest: {
            path: '/token',
            type: 'application/x-www-form-urlencoded',
            body: theirBody,
          },
        },
        ours: {
          kind: 'token',
          port,
          tokenRequest: { path: '/oauth/token', type: 'application/json', body: ourBody },
        },
      }),
    );
  } finally {
    floor.stop();
    unwrite.stop();
    provider.stop();
  }
}

async function contestErasing(): Promise<void> {
  const { ours, bare, loop } = await measureErasing(rounds);
  const line = (rivalName: string, rival: number[]) =>
    [
      'erase',
      rivalName,
      (median(ours) / median(rival)).toFixed(2),
      `${median(ours).toFixed(0)} / ${median(rival).toFixed(0)}`,
    ].join(' | ');
  console.log(
    `\nPeople with five orders of two items each, erased from PostgreSQL in batches of 500, medians of ${rounds} rounds, interleaved\n`,
  );
  console.log('what | rival | rate: ours ÷ rival | people a second: ours / rival');
  console.log('--- | --- | --- | ---');
  console.log(line('bare DELETEs by the same keys', bare));
  console.log(line('a plain pg loop', loop));
}

if (values.only !== undefined && !['http', 'erase'].includes(values.only)) {
  console.error('--only takes http or erase');
  process.exit(2);
}
if (values.only !== 'erase') await contestHttp();
if (values.only !== 'http') await contestErasing();
