// What signed answers cost: the same server without a certificate, with a P-256 key, and with an RSA key of 2,048 bits.
// Processor time of the server for each answer is compared as well as the rate: it says the same on a busy machine.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  KEY_TYPES,
  keyPem,
  makeCertificate,
  makeKey,
} from '../packages/server/src/certificate/make-certificate.ts';
import { makeTemporaryFolder } from '../packages/server/test/helpers/temporary-folder.ts';
import { median, processorMs, type Rounds, settle } from './contest.ts';
import { type Load, measure } from './load.ts';
import { startUnwrite, type UnwriteServer } from './servers.ts';
import { sqliteIds } from './sqlite-ids.ts';

const DOMAIN = 'localhost';
const UNSIGNED = 'not signed';
/** Requests that controllers poll: fewer than signatures are cached. */
const POLLED = 2000;
const AT_ONCE = 32;
const WARM_UP_SECONDS = 3;
const YEAR_MS = 365 * 86_400_000;

interface Entrant {
  readonly name: string;
  readonly server: UnwriteServer;
}

interface Costs {
  readonly perSecond: number;
  /** Of all threads of the server, for one answer. */
  readonly processorUs: number;
}

export const TITLES =
  'what | key | rate ÷ not signed | processor time ÷ not signed | per second | processor time in µs';

export async function contestSignatures(
  rounds: Rounds,
  say: (line: string) => void,
): Promise<void> {
  const folder = makeTemporaryFolder();
  const entrants: Entrant[] = [];
  try {
    entrants.push({ name: UNSIGNED, server: await startUnwrite(18_100) });
    for (const [n, type] of KEY_TYPES.entries()) {
      entrants.push({ name: type, server: await startUnwrite(18_101 + n, certificateOf(type)) });
    }
    sayAll('create', await hold(entrants, rounds, createLoad), say);
    for (const { server } of entrants) await createAndPoll(server);
    const files = new Map(
      entrants.map(({ name, server }) => {
        const ids = sqliteIds(server, POLLED);
        const idsFile = join(folder.path, `${name}.txt`);
        writeFileSync(idsFile, `${ids.join('\n')}\n`);
        return [name, { ids, idsFile }];
      }),
    );
    const statusLoad = ({ name, server: { port, token } }: Entrant) =>
      ({ kind: 'status', port, token, ...files.get(name) }) as const;
    sayAll('status, polled', await hold(entrants, rounds, statusLoad), say);
  } finally {
    for (const { server } of entrants) server.stop();
    folder.remove();
  }
}

type MakeLoad = (entrant: Entrant) => Omit<Load, 'seconds' | 'connections'>;

function createLoad({ server: { port, token } }: Entrant) {
  return { kind: 'create', port, token } as const;
}

async function hold(
  entrants: readonly Entrant[],
  { rounds, seconds, connections }: Rounds,
  loadOf: MakeLoad,
): Promise<ReadonlyMap<string, Costs>> {
  const measured = new Map<string, Costs[]>();
  for (const one of entrants) {
    measured.set(one.name, []);
    await measure({ ...loadOf(one), connections, seconds: WARM_UP_SECONDS });
  }
  for (let round = 0; round < rounds; round++) {
    for (const one of entrants) {
      const { process } = one.server;
      const before = processorMs(process.pid);
      const { perSecond, errors } = await measure({ ...loadOf(one), connections, seconds });
      if (errors > 0) throw new Error(`${one.name}: ${errors} requests failed`);
      await settle(process);
      const spentMs = processorMs(process.pid) - before;
      const processorUs = (spentMs * 1000) / (perSecond * seconds);
      measured.get(one.name)?.push({ perSecond, processorUs });
    }
  }
  const of = (list: readonly Costs[], key: keyof Costs) => median(list.map((it) => it[key]));
  return new Map(
    [...measured].map(([name, list]) => [
      name,
      { perSecond: of(list, 'perSecond'), processorUs: of(list, 'processorUs') },
    ]),
  );
}

function sayAll(
  what: string,
  costs: ReadonlyMap<string, Costs>,
  say: (line: string) => void,
): void {
  const unsigned = costs.get(UNSIGNED);
  for (const [name, { perSecond, processorUs }] of costs) {
    if (unsigned === undefined) continue;
    const rate = (perSecond / unsigned.perSecond).toFixed(2);
    const processor = (processorUs / unsigned.processorUs).toFixed(2);
    say([what, name, rate, processor, perSecond.toFixed(0), processorUs.toFixed(0)].join(' | '));
  }
}

/** Polls each request once: later answers with the same bytes have their signature from the cache. */
async function createAndPoll(server: UnwriteServer): Promise<void> {
  const { port, token } = server;
  const missing = POLLED - sqliteIds(server, POLLED).length;
  if (missing > 0) throw new Error(`create ${missing} more: give more --seconds`);
  const ids = sqliteIds(server, POLLED);
  const headers = { authorization: `Bearer ${token}` };
  while (ids.length > 0) {
    await Promise.all(
      ids.splice(0, AT_ONCE).map(async (id) => {
        const answer = await fetch(`http://127.0.0.1:${port}/requests/${id}`, { headers });
        await answer.arrayBuffer();
      }),
    );
  }
}

function certificateOf(type: (typeof KEY_TYPES)[number]): Record<string, string> {
  const key = makeKey(type);
  const now = Date.now();
  const validity = { validFrom: now, validTo: now + YEAR_MS };
  const of = { key, commonName: DOMAIN, domains: [DOMAIN], ...validity };
  return {
    UNWRITE_PROCESSOR_KEY: keyPem(key),
    UNWRITE_PROCESSOR_CERTIFICATE: makeCertificate(of),
  };
}
