import { inject } from 'vitest';
import { noteMissing, type Part } from '../missing-parts.ts';
import type { ServerKind } from './guarded-server.ts';
import type { LentAnswer } from './lend-servers.ts';

const borrowed = new Map<ServerKind, Promise<LentAnswer>>();

/** The run's own server, started if this is the first to ask; none where it cannot be had. */
export async function borrowServer(kind: ServerKind): Promise<string | undefined> {
  // A file asks once: by the next time, the lender may have closed the connection that fetch keeps.
  const answer = borrowed.get(kind) ?? askFor(kind);
  borrowed.set(kind, answer);
  const { url, reason } = await answer;
  if (url === undefined) noteMissing(TITLES[kind], reason);
  return url;
}

const TITLES: Record<ServerKind, Part> = {
  postgres: 'PostgreSQL',
  mariadb: process.env.UNWRITE_TEST_MYSQL_FOLDER ? 'MySQL' : 'MariaDB',
  pgbouncer: 'PgBouncer',
};

async function askFor(kind: ServerKind): Promise<LentAnswer> {
  const answer = await fetch(`${inject('serverLender')}/${kind}`);
  return (await answer.json()) as LentAnswer;
}
