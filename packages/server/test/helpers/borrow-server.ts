import { inject } from 'vitest';
import type { ServerKind } from './guarded-server.ts';

/** The run's own server, started if this is the first to ask; none where it cannot be had. */
export async function borrowServer(kind: ServerKind): Promise<string | undefined> {
  const answer = await fetch(`${inject('serverLender')}/${kind}`);
  return (await answer.text()) || undefined;
}
