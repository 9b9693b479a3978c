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
    batches: node.batches,
  };
}
