// What systemd or an orchestrator does: whichever node ends is started again, after a moment.
import type { NodeProcess } from '../../helpers/servers/node-processes.ts';

export interface Supervised {
  /** With -9, now and then one that is still starting; nobody where too few are ready. */
  killOne(): Promise<boolean>;
  /** Nodes that ended by themselves after they had been ready: nobody may. */
  readonly fallen: string[];
  kills(): number;
  /** From then on, processes that end are not restarted. */
  stop(): void;
}

const LONGEST_GONE_MS = 800;
/** On a slow machine nodes take long to start, and one that does nothing is not worth killing. */
const READY_AT_LEAST = 3;
const STARTING_EVERY = 5;

const READY = '"ready"';
const isReady = (node: NodeProcess) => node.isRunning() && node.process().output().includes(READY);

export function supervise(nodes: readonly NodeProcess[]): Supervised {
  const fallen: string[] = [];
  let kills = 0;
  let isStopped = false;

  function run(node: NodeProcess): void {
    const { child, output } = node.start();
    child.once('exit', (code, signal) => {
      if (isStopped) return;
      // One that waits in vain for the database while it starts may give up: then it is started again.
      const wasReady = output().includes(READY);
      if (signal !== 'SIGKILL' && wasReady) {
        fallen.push(`${node.name} ended with ${code}: ${output().slice(-1000)}`);
      }
      setTimeout(() => isStopped || run(node), Math.random() * LONGEST_GONE_MS);
    });
  }

  for (const node of nodes) run(node);
  return {
    async killOne() {
      const ready = nodes.filter(isReady);
      if (ready.length < READY_AT_LEAST) return false;
      const starting = nodes.filter((node) => node.isRunning() && !isReady(node));
      const some = starting.length > 0 && Math.random() < 1 / STARTING_EVERY ? starting : ready;
      await some[Math.floor(Math.random() * some.length)]?.kill('SIGKILL');
      kills++;
      return true;
    },
    fallen,
    kills: () => kills,
    stop() {
      isStopped = true;
    },
  };
}
