// What a request would do at each of its targets, without changing any of them.

import { byName } from '../domain/by-name.ts';
import type { Identity } from '../domain/request/identity.ts';
import {
  type Connector,
  type Failed,
  type Found,
  type Held,
  NO_ANSWER,
  type Resolution,
  type Subject,
  TargetDown,
  totalOf,
} from '../domain/target/connector.ts';
import type { PreviewFacts, RequestPreview, TargetPreview } from '../domain/target/preview.ts';
import type { TargetConfig } from '../domain/target/target.ts';
import { TARGET_REFUSED, targetRefused } from '../domain/target/target-refused.ts';
import { guard } from './batch/guard.ts';
import { BY_HAND, NO_USABLE_IDENTITY } from './batch/hold-words.ts';
import { countKeys } from './intent/key-rows.ts';
import { countsToErase } from './intent/merge-intent.ts';

type Connect = (target: TargetConfig) => Promise<Connector>;
const NOTHING = { counts: {}, retained: {}, detached: {}, kept: {} } as const;

export function createPreviewRequest(
  targets: readonly TargetConfig[],
  connectorOf: Connect,
  facts: PreviewFacts,
) {
  return async (subject: Subject): Promise<RequestPreview> => {
    const mine = targets.filter(
      ({ controllers }) => controllers === null || controllers.includes(subject.controllerId),
    );
    const trouble = new Map<string, Held | Failed>();
    const identities = onlyOnce(subject.identities);
    // As in a run: what one target finds may lead another to more.
    let all = identities;
    for (let before = -1; before < all.length; ) {
      before = all.length;
      for (const target of mine.filter(resolves)) {
        if (trouble.has(target.name)) continue;
        const resolution = await resolveAt(target, connectorOf, { ...subject, identities: all });
        if (resolution.outcome === 'resolved') all = onlyOnce([...all, ...resolution.identities]);
        else trouble.set(target.name, resolution);
      }
    }
    const previews: TargetPreview[] = [];
    for (const target of mine) {
      const stopped = trouble.get(target.name);
      previews.push(
        stopped === undefined
          ? await previewAt(target, connectorOf, { ...subject, identities: all }, facts)
          : stop(target, stopped),
      );
    }
    return {
      resolved: all.length - identities.length,
      waitsFor: [...trouble.keys()],
      targets: previews,
    };
  };
}

function resolves(target: TargetConfig): boolean {
  return 'resolve' in target && target.resolve !== null;
}

function onlyOnce(identities: readonly Identity[]): Identity[] {
  const byKey = new Map(identities.map((it) => [`${it.type} ${it.matchKey()}`, it]));
  return [...byKey.values()];
}

async function resolveAt(
  target: TargetConfig,
  connectorOf: Connect,
  subject: Subject,
): Promise<Resolution> {
  try {
    const connector = await connectorOf(target);
    const [resolution] = (await connector.resolve?.([subject])) ?? [];
    return resolution ?? { outcome: 'resolved', identities: [] };
  } catch (error) {
    return failureOf(error);
  }
}

async function previewAt(
  target: TargetConfig,
  connectorOf: Connect,
  subject: Subject,
  facts: PreviewFacts,
): Promise<TargetPreview> {
  if (target.connector === 'manual') {
    const detail = target.instructions ?? BY_HAND;
    return stop(target, { outcome: 'held', reason: 'manual', detail });
  }
  try {
    const connector = await connectorOf(target);
    const { problems = [] } = (await connector.gate?.()) ?? {};
    if (problems.length > 0) throw targetRefused(problems);
    const [preview = NO_ANSWER] = await connector.preview([subject]);
    if (preview.outcome === 'held' || preview.outcome === 'failed') return stop(target, preview);
    if (preview.outcome === 'unmatched') return unmatched(target);
    return await judge(target, preview, facts);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.code !== TARGET_REFUSED) return stop(target, failure);
    const { code: reason, detail } = failure;
    return { target, outcome: 'would_wait', reason, detail, ...NOTHING };
  }
}

/** By the guards of a run, in their order: what a person has to decide, then what only waits. */
async function judge(
  target: TargetConfig,
  found: Found,
  { isPaused, rowsToday, taskAt }: PreviewFacts,
): Promise<TargetPreview> {
  const { counts, retained, detached = {} } = found;
  const kept = countKeys(found.kept ?? byName());
  const rowsFound = { counts, retained, detached, kept };
  const { allowedRows = null, counts: before = null } = taskAt(target.name) ?? {};
  const toErase = countsToErase(found, before ?? undefined);
  const held = guard({ counts: toErase, detached }, target, allowedRows);
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

const PAUSED = 'erasing is paused; "unwrite resume" resumes it';
/** Only known when erasing. */
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

function failureOf(error: unknown): Failed {
  if (!(error instanceof TargetDown)) throw error;
  return { outcome: 'failed', code: error.code, detail: error.message };
}
