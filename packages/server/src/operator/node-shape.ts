// A node as plain data.
import { NODE_ALIVE_MS, type NodeSummary } from '../domain/store/node-ports.ts';
import { isoTime } from './iso-time.ts';

export function nodeShape(node: NodeSummary, now: number) {
  return {
    node: node.nodeId,
    host: node.host,
    pid: node.pid,
    role: node.role,
    version: node.version,
    started_time: isoTime(node.startedTime),
    seen_time: isoTime(node.seenTime),
    is_alive: now - node.seenTime <= NODE_ALIVE_MS,
    state: node.state,
    configuration: node.configuration,
    batches: node.batches,
  };
}

/** Whether nodes that are alive have different settings in force. */
export function differ(nodes: readonly NodeSummary[], now: number): boolean {
  const alive = nodes.filter(({ seenTime }) => now - seenTime <= NODE_ALIVE_MS);
  return new Set(alive.map(({ configuration }) => configuration)).size > 1;
}
