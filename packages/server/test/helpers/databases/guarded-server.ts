// A database server for tests, run by a guard process of its own. However this process ends, also by
// a kill that it cannot see, the guard notices, stops the server and removes its files.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const GUARD = fileURLToPath(new URL('guard-server.ts', import.meta.url));

export type ServerKind = 'postgres' | 'mariadb' | 'pgbouncer';
type GuardedKind =
  | ServerKind
  | ('durable-postgres' | 'tls-postgres' | 'logging-postgres')
  /** In place of a MariaDB. */
  | 'mysql';
export type GuardOrder = 'stop' | 'start';
export type GuardMessage =
  | { readonly url: string }
  | { readonly reason: string }
  | { readonly done: GuardOrder };

export interface DatabaseServer {
  /** Of an account that may do everything, without the name of a database. */
  readonly url: string;
  /** At once, as if it had crashed: what was committed without waiting for the log may be lost. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Throws with the reason where no server can be had. `given`: what that kind of server has to know. */
export async function startGuarded(kind: GuardedKind, given = ''): Promise<DatabaseServer> {
  // Detached: Ctrl-C is meant for the run; the guard follows when the run has ended.
  const guard = fork(GUARD, [kind, given], { detached: true, execArgv: [], stdio: 'ignore' });
  const exited = once(guard, 'exit');
  const [message] = (await Promise.race([
    once(guard, 'message'),
    exited.then(([code]) => [{ reason: `its guard ended with ${code}` }]),
  ])) as [GuardMessage];
  if ('reason' in message) throw new Error(message.reason);
  if ('done' in message) throw new Error('its guard did not say where it is');
  const tell = async (order: GuardOrder): Promise<void> => {
    const done = once(guard, 'message');
    guard.send(order);
    await done;
  };
  return {
    url: message.url,
    stop: () => tell('stop'),
    start: () => tell('start'),
    async close() {
      if (guard.connected) guard.disconnect();
      await exited;
    },
  };
}
