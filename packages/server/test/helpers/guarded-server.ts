// A database server for tests, run by a guard process of its own. However this process ends, also by
// a kill that it cannot see, the guard notices, stops the server and removes its files.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard-server.ts', import.meta.url));

export type ServerKind = 'postgres' | 'mariadb';
type GuardedKind = ServerKind | 'durable-postgres';
export type GuardMessage = { readonly url: string } | { readonly reason: string };

export interface DatabaseServer {
  /** Of an account that may do everything, without the name of a database. */
  readonly url: string;
  close(): Promise<void>;
}

/** Throws with the reason where no server can be had. */
export async function startGuarded(kind: GuardedKind): Promise<DatabaseServer> {
  // Detached: Ctrl-C is meant for the run; the guard follows when the run has ended.
  const guard = fork(GUARD, [kind], { detached: true, execArgv: [], stdio: 'ignore' });
  const exited = once(guard, 'exit');
  const [message] = (await Promise.race([
    once(guard, 'message'),
    exited.then(([code]) => [{ reason: `its guard ended with ${code}` }]),
  ])) as [GuardMessage];
  if ('reason' in message) throw new Error(message.reason);
  return {
    url: message.url,
    async close() {
      if (guard.connected) guard.disconnect();
      await exited;
    },
  };
}
