// Fairness in intake: one controller floods, and another one's slowest answers are measured beside it. The measure is
// what they are beside a load that keeps the server as busy and is of another kind: the same creates by sixteen
// controllers, none of which sends much.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './contest.ts';
import { type Load, measure } from './load.ts';
import { startUnwrite, type UnwriteServer } from './servers.ts';

export interface Fairness {
  readonly kind: 'create' | 'status';
  /** p99 in milliseconds, medians of the rounds. */
  readonly besideFlood: number;
  readonly besideMany: number;
}

const PORT = 18_480;
const CONTROLLERS = 16;
const OWN_CONNECTIONS = 2;

export async function measureFairness(
  rounds: number,
  seconds: number,
  connections: number,
  environment: Record<string, string> = {},
): Promise<Fairness[]> {
  const server = await startUnwrite(PORT, { UNWRITE_RATE_LIMIT: 'off', ...environment });
  try {
    return await compare(server, rounds, seconds, connections);
  } finally {
    server.stop();
  }
}

async function compare(
  server: UnwriteServer,
  rounds: number,
  seconds: number,
  connections: number,
): Promise<Fairness[]> {
  const own = server.tokenOf('globex');
  const many = Array.from({ length: CONTROLLERS }, (_, n) => server.tokenOf(`other-${n}`));
  const ids = [await createOne(own)];
  const idsFile = join(server.dataDir, 'ids');
  writeFileSync(idsFile, `${ids.join('\n')}\n`);
  const load = (token: string, share: number): Load => {
    return { kind: 'create', port: PORT, seconds, connections: share, token };
  };
  const loads = {
    besideFlood: () => [measure(load(server.token, connections))],
    besideMany: () =>
      many.map((token) => measure(load(token, Math.max(1, connections / CONTROLLERS)))),
  };
  const kinds = ['create', 'status'] as const;
  const seen = { create: new Map<string, number[]>(), status: new Map<string, number[]>() };
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      for (const [name, start] of Object.entries(loads)) {
        const beside = start();
        const mine = await measure({ ...load(own, OWN_CONNECTIONS), kind, ids, idsFile });
        await Promise.all(beside);
        if (mine.errors > 0) throw new Error(`${mine.errors} of the other controller failed`);
        seen[kind].set(name, [...(seen[kind].get(name) ?? []), mine.p99]);
      }
    }
  }
  const p99 = (kind: 'create' | 'status', name: string) => median(seen[kind].get(name) ?? []);
  return kinds.map((kind) => ({
    kind,
    besideFlood: p99(kind, 'besideFlood'),
    besideMany: p99(kind, 'besideMany'),
  }));
}

async function createOne(token: string): Promise<string> {
  const id = crypto.randomUUID();
  const answer = await fetch(`http://127.0.0.1:${PORT}/requests`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      regulation: 'gdpr',
      subject_request_id: id,
      subject_request_type: 'erasure',
      submitted_time: '2026-11-15T02:00:00Z',
    }),
  });
  if (answer.status !== 201) throw new Error(`not created: ${answer.status}`);
  return id;
}
