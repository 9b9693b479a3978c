// Connections that several calls to one origin use: to open one costs more than most calls.
import type { Agent } from 'node:http';

/** Servers close idle connections after five seconds and more; a call on a closed one would fail. */
const IDLE_MS = 4000;

export interface KeptConnections {
  agent(): Promise<Agent>;
  close(): void;
}

export function keepConnections({ protocol }: URL): KeptConnections {
  let opened: Promise<Agent> | undefined;
  async function open(): Promise<Agent> {
    const { Agent } =
      protocol === 'https:' ? await import('node:https') : await import('node:http');
    return new Agent({ keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 2 });
  }
  return {
    agent() {
      opened ??= open();
      return opened;
    },
    close() {
      void opened?.then((agent) => agent.destroy());
    },
  };
}
