// The nodes that share a store.

/** A node counts as alive for this long after a heartbeat, which it writes every five seconds. */
export const NODE_ALIVE_MS = 20_000;

export interface NodeSelf {
  readonly nodeId: string;
  readonly host: string;
  readonly pid: number;
  readonly role: string;
  readonly version: string;
  readonly startedTime: number;
}

export interface NodeSummary extends NodeSelf {
  readonly seenTime: number;
  readonly state: string;
  /** A digest of the settings that all nodes should have alike. */
  readonly configuration: string;
  /** Batches that it has leased now. */
  readonly batches: readonly { readonly target: string; readonly tasks: number }[];
}

export interface NodeRegistry {
  /** Writes the heartbeat of this node. */
  beat(self: NodeSelf, state: string, configuration: string, now: number): Promise<void>;
  /** How many of the nodes seen since then serve requests. */
  countServing(seenSince: number): Promise<number>;
  leave(nodeId: string): Promise<void>;
  /** Nodes seen since then, oldest first. */
  nodes(seenSince: number): Promise<NodeSummary[]>;
}
