// The very transaction that would erase a person, rolled back: what the database itself refuses is seen before a request comes.
import {
  type Connector,
  type Failed,
  NO_ANSWER,
  type Preview,
  type Subject,
} from '../domain/target/connector.ts';
import type { TargetConfig } from '../domain/target/target.ts';

export interface Rehearsal {
  readonly preview: Preview;
  /** How long its rows were locked; null if nothing was changed. */
  readonly lockedMs: number | null;
}

export async function rehearse(
  target: TargetConfig,
  connector: Connector,
  subject: Subject,
): Promise<Rehearsal> {
  const refusal = refuseRehearsal(target);
  if (refusal !== undefined) return { preview: refusal, lockedMs: null };
  let found: Preview = NO_ANSWER;
  let since = 0;
  let lockedMs: number | null = null;
  const [erasure = NO_ANSWER] = await connector.erase([subject], {
    decide(_, [preview = NO_ANSWER]) {
      found = preview;
      since = performance.now();
      if (preview.outcome !== 'found') return [];
      const { keys, counts, layout } = preview;
      return [{ ...subject, keys, counts, ...(layout !== undefined && { layout }) }];
    },
    async record() {
      lockedMs = Math.round(performance.now() - since);
      return false;
    },
  });
  const isRefused = erasure.outcome === 'held' || erasure.outcome === 'failed';
  return { preview: isRefused ? erasure : found, lockedMs };
}

/** What reaches out of the transaction cannot be rolled back. */
function refuseRehearsal(target: TargetConfig): Failed | undefined {
  if (!('work' in target)) return refused('only databases roll back');
  if (target.work.kind === 'statements')
    return refused('hand-written SQL may commit by itself, or reach out of the database');
  const { triggers } = target.work;
  if (triggers.length === 0) return undefined;
  return refused(`a trigger may reach out of the database: ${triggers.join(', ')}`);
}

const refused = (why: string): Failed => ({
  outcome: 'failed',
  code: 'not_rehearsed',
  detail: `${why}; preview it without --rehearse`,
});
