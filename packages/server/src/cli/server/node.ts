import type { Command } from 'commander';
import { NODE_ALIVE_MS, type NodeSummary } from '../../domain/store/node-ports.ts';
import { differ, nodeShape } from '../../operator/node-shape.ts';
import { CommandFailure } from '../shared/failure.ts';
import { withInstallation } from '../shared/installation.ts';
import { withJson, withSettings } from '../shared/options.ts';
import { counted, printJson, printLines, printTable, time } from '../shared/output.ts';

const LISTED_MS = 3_600_000;

export function addNodeCommand(program: Command): void {
  const node = program.command('node').description('The nodes that share a store');
  const list = node
    .command('list')
    .description('List the nodes of the last hour, and what each works on');
  withJson(withSettings(list)).action(({ json }: { json?: boolean }) =>
    withInstallation(list, async ({ store }) => {
      if (store.nodes === null) {
        throw new CommandFailure(
          'an SQLite store has one node, the "unwrite serve" that uses it; nodes share a store on PostgreSQL (UNWRITE_STORE)',
        );
      }
      const now = store.clock();
      const nodes = await store.nodes.nodes(now - LISTED_MS);
      if (json) printJson(nodes.map((it) => nodeShape(it, now)));
      else if (nodes.length === 0) process.stdout.write('No node was seen during the last hour.\n');
      else {
        printTable(
          ['NODE', 'ROLE', 'VERSION', 'SETTINGS', 'SINCE', 'STATE', 'DOING'],
          rowsOf(nodes, now),
        );
        if (differ(nodes, now))
          printLines(
            'The settings of the nodes differ: give all of them the same file, and run "unwrite config reload" on each machine.',
          );
      }
    }),
  );
}

function stateOf({ seenTime, state }: NodeSummary, now: number): string {
  if (now - seenTime <= NODE_ALIVE_MS) return state;
  return `silent for ${Math.round((now - seenTime) / 1000)} s`;
}

function rowsOf(nodes: readonly NodeSummary[], now: number): (string | null)[][] {
  return nodes.map((it) => [
    it.nodeId,
    it.role,
    it.version,
    it.configuration,
    time(it.startedTime),
    stateOf(it, now),
    it.batches.map(({ target, tasks }) => `${target}: ${counted(tasks, 'task')}`).join(', ') || '-',
  ]);
}
