import type { NodeRegistry, NodeSummary } from '../../domain/store/node-ports.ts';
import type { Database } from './database.ts';
import { ownSchemaVersion } from './migrate.ts';

/** A node that has been gone for this long is no longer shown. */
const FORGET_MS = 24 * 3_600_000;

export function createNodeRegistry(database: Database): NodeRegistry {
  const schemaVersion = ownSchemaVersion();
  return {
    async beat(self, state, configuration, now) {
      await database.run(
        `INSERT INTO @nodes AS n
           (node_id, host, pid, role, version, schema_version, started_time, seen_time, state, configuration)
         VALUES (:nodeId, :host, :pid, :role, :version, :schemaVersion, :startedTime, :now, :state, :configuration)
         ON CONFLICT (node_id) DO UPDATE
           SET seen_time = :now, state = :state, configuration = :configuration`,
        { ...self, schemaVersion, now, state, configuration },
      );
      await database.run('DELETE FROM @nodes WHERE seen_time < :before', {
        before: now - FORGET_MS,
      });
    },
    async countServing(seenSince) {
      const [row] = await database.all<{ count: number }>(
        `SELECT count(*)::int AS count FROM @nodes
         WHERE seen_time >= :seenSince AND role <> 'worker' AND state = 'serving'`,
        { seenSince },
      );
      return row?.count ?? 0;
    },
    async leave(nodeId) {
      await database.run('DELETE FROM @nodes WHERE node_id = :nodeId', { nodeId });
    },
    nodes: (seenSince) =>
      database.all<NodeSummary>(
        `SELECT node_id AS "nodeId", host, pid, role, version, started_time AS "startedTime",
                seen_time AS "seenTime", state, configuration,
                (SELECT coalesce(json_agg(json_build_object('target', target, 'tasks', tasks)
                                          ORDER BY target), '[]')
                 FROM (SELECT target, (SELECT count(*) FROM @tasks AS t
                                       WHERE t.batch_no = b.batch_no AND state = 'running') AS tasks
                       FROM @batches AS b WHERE worker = n.node_id) AS held) AS batches
         FROM @nodes AS n WHERE seen_time >= :seenSince ORDER BY started_time, node_id`,
        { seenSince },
      ),
  };
}
