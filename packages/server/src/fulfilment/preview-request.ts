// What a request would do at each of its targets, without changing any of them.

import { byName } from '../domain/by-name.ts';
import {
  type Connector,
  type Failed,
  type Found,
  type Held,
  NO_ANSWER,
  type Subject,
  totalOf,
} from '../domain/target/connector.ts';
import type { PreviewFacts, RequestPreview, TargetPreview } from '../domain/target/preview.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { TARGET_REFUSED, targetRefused } from '../domain/target/target-refused.ts';
import { PAUSED } from '../domain/task/attention.ts';
import { guard } from './batch/guard.ts';
import { BY_HAND, NO_USABLE_IDENTITY } from './batch/hold-words.ts';
import { countKeys } from './intent/key-rows.ts';
import { nameOf } from './open-subjects.ts';
import {
  type Connect,
  failureOf,
  heldForLookups,
  lookUpNow,
  type PreviewedTarget,
} from './preview-looked-up.ts';
import { type Rehearsal, rehearse } from './rehearse.ts';

const NOTHING = { counts: {}, retained: {}, detached: {}, kept: {} } as const;

export function createPreviewRequest(
  targets: readonly TargetConfig[],
  connectorOf: Connect,
  facts: PreviewFacts,
  /** Each target is to do it, and to roll it back. */
  isRehearsal = false,
) {
  return async (subject: Subject): Promise<RequestPreview> => {
    const mine = targets.filter(
      ({ controllers }) => controllers === null || controllers.includes(subject.controllerId),
    );
    const now = await lookUpNow(mine, connectorOf, subject, facts);
    const { identities, trouble } = now;
    const previews: TargetPreview[] = [];
    for (const target of mine) {
      const stopped = trouble.get(target.name);
      previews.push(
        stopped === undefined
          ? await previewAt(
              { target, connectorOf, facts, isRehearsal },
              { ...subject, identities },
              (previewed) => heldForLookups(previewed, { ...facts, ...now, mine }),
            )
          : stop(target, stopped),
      );
    }
    return {
      resolved: identities.length - new Set(subject.identities.map(nameOf)).size,
      waitsFor: [...trouble.keys()],
      targets: previews,
    };
  };
}

type IsHeld = (previewed: PreviewedTarget) => Promise<Held | undefined>;

interface PreviewParts {
  readonly target: TargetConfig;
  readonly connectorOf: Connect;
  readonly facts: PreviewFacts;
  readonly isRehearsal: boolean;
}

async function previewAt(
  { target, connectorOf, facts, isRehearsal }: PreviewParts,
  subject: Subject,
  isHeld: IsHeld,
): Promise<TargetPreview> {
  if (target.connector === 'manual') {
    const detail = target.instructions ?? BY_HAND;
    return stop(target, { outcome: 'held', reason: 'manual', detail });
  }
  try {
    const connector = await connectorOf(target);
    const { problems = [] } = (await connector.gate?.()) ?? {};
    if (problems.length > 0) throw targetRefused(problems);
    const { preview, lockedMs } = isRehearsal
      ? await rehearse(target, connector, subject)
      : await lookOnly(connector, subject);
    if (preview.outcome === 'held' || preview.outcome === 'failed') return stop(target, preview);
    const held = await isHeld({ target, connector, subject, found: preview });
    if (held !== undefined) return stop(target, held);
    if (preview.outcome === 'unmatched') return unmatched(target);
    const judged = withSent(await judge(target, preview, facts), subject);
    return lockedMs === null ? judged : { ...judged, lockedMs };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== TARGET_REFUSED) return stop(target, failure);
    const { code: reason, detail } = failure;
    return { target, outcome: 'would_wait', reason, detail, ...NOTHING };
  }
}

async function lookOnly(connector: Connector, subject: Subject): Promise<Rehearsal> {
  const [preview = NO_ANSWER] = await connector.preview([subject]);
  return { preview, lockedMs: null };
}

/** Applies the guards of a run in their order: first what an operator has to decide, then what only delays. */
async function judge(
  target: TargetConfig,
  found: Found,
  { isPaused, rowsToday, taskAt }: PreviewFacts,
): Promise<TargetPreview> {
  const { counts, retained, detached = {} } = found;
  const kept = countKeys(found.kept ?? byName());
  const rowsFound = { counts, retained, detached, kept };
  const { allowedRows = null } = taskAt(target.name) ?? {};
  const held = guard({ counts, detached }, target, allowedRows, false);
  if (held !== undefined) return { ...stop(target, held), ...rowsFound };
  const rows = totalOf(counts);
  const waits = (reason: string, detail: string): TargetPreview => ({
    target,
    outcome: 'would_wait',
    reason,
    detail,
    ...rowsFound,
  });
  if (isPaused(target.name)) return waits('paused', PAUSED);
  if (rows === 0) return { target, outcome: 'not_found', reason: null, detail: null, ...rowsFound };
  const { maxRowsPerDay } = target;
  if (maxRowsPerDay !== null && allowedRows === null) {
    const used = await rowsToday(target.name);
    if (used + rows > maxRowsPerDay)
      return waits(
        'daily_cap',
        `${rows} rows match, and ${used} of max_rows_per_day (${maxRowsPerDay}) are used`,
      );
  }
  const detail = isHandWritten(target) ? MUST_AGREE : null;
  return { target, outcome: 'would_erase', reason: null, detail, ...rowsFound };
}

/** Of people who would be named to another processor: what it would be told. */
function withSent(judged: TargetPreview, { identities }: Subject): TargetPreview {
  const { target, outcome } = judged;
  if (target.connector !== 'opendsr' || outcome !== 'would_erase') return judged;
  const types = target.identities.flatMap((type) => {
    const count = identities.filter((one) => one.type === type).length;
    return count === 0 ? [] : [`${count} ${type}`];
  });
  return {
    ...judged,
    detail: `sends a request to ${new URL(target.url).host} with ${types.join(', ')}`,
  };
}

/** Whether they agree is known only when erasing. */
const MUST_AGREE =
  'held if sql.erase changes another number of rows than sql.preview counts, and rolled back';

function isHandWritten(target: TargetConfig): boolean {
  return 'work' in target && target.work.kind === 'statements';
}

function unmatched(target: TargetConfig): TargetPreview {
  const detail = NO_USABLE_IDENTITY;
  const reason = 'no_usable_identity';
  const outcome = target.whenUnmatched === 'skip' ? 'would_skip' : 'would_hold';
  return { target, outcome, reason, detail, ...NOTHING };
}

function stop(target: TargetConfig, trouble: Held | Failed): TargetPreview {
  const { detail } = trouble;
  return trouble.outcome === 'held'
    ? { target, outcome: 'would_hold', reason: trouble.reason, detail, ...NOTHING }
    : { target, outcome: 'failed', reason: trouble.code, detail, ...NOTHING };
}
