// Turns a module's answer for one subject into the outcome of a connector; undefined if it has the wrong shape.
// The module's own texts are not kept: they may quote data.
import { isObject } from '../../domain/is-object.ts';
import {
  type EraseOrder,
  type Erasure,
  type Failed,
  type Held,
  HOLD_REASONS,
  type HoldReason,
  type Preview,
  type Subject,
  type Verdict,
} from '../../domain/target/connector.ts';
import { moreThan, readCode, readCounts, readKeys } from '../read-reported.ts';

export function readPreview(value: unknown, subject: Subject): Preview | undefined {
  if (!isObject(value)) return undefined;
  if (value.outcome === 'unmatched') return { outcome: 'unmatched' };
  if (value.outcome !== 'found') return readHeld(value) ?? readFailed(value, subject);
  const counts = readCounts(value.counts, subject);
  const retained = readCounts(value.retained ?? {}, subject);
  const keys = readKeys(value.keys ?? {}, subject);
  const sharedWith = readTaskNos(value.sharedWith ?? []);
  if (!counts || !retained || !keys || !sharedWith) return undefined;
  return { outcome: 'found', counts, retained, keys, sharedWith };
}

export function readErasure(value: unknown, order: EraseOrder): Erasure | undefined {
  if (!isObject(value)) return undefined;
  if (value.outcome === 'grown') return { outcome: 'grown' };
  if (value.outcome !== 'erased') return readHeld(value) ?? readFailed(value, order);
  const counts = readCounts(value.counts, order);
  if (counts === undefined) return undefined;
  const more = moreThan(counts, order.counts);
  if (more.length === 0) return { outcome: 'erased', counts };
  const detail = `the module reports more erased than its preview found: ${more.join(', ')}; find out why, then release, which previews again, or retain`;
  return { outcome: 'held', reason: 'more_than_previewed', detail, erased: counts };
}

export function readVerdict(value: unknown, order: EraseOrder): Verdict | undefined {
  if (!isObject(value)) return undefined;
  const { outcome, how } = value;
  if (outcome === 'gone')
    return how === 'requeried' || how === 'reported' ? { outcome, how } : undefined;
  if (outcome !== 'remains') return readFailed(value, order);
  const counts = readCounts(value.counts, order);
  return counts && { outcome, counts };
}

function readHeld({ outcome, reason }: Record<string, unknown>): Held | undefined {
  if (outcome !== 'held' || !isHoldReason(reason)) return undefined;
  const end = reason === 'manual' ? 'do it, then confirm (unwrite manual confirm)' : 'then release';
  const detail = `the module asks a person to decide; find out why, ${end}, or retain`;
  return { outcome, reason, detail };
}

function readFailed(value: Record<string, unknown>, subject: Subject): Failed | undefined {
  if (value.outcome !== 'failed') return undefined;
  const code = readCode(value.code, subject);
  return { outcome: 'failed', code, detail: 'the module reported it for this request' };
}

function isHoldReason(value: unknown): value is HoldReason {
  return HOLD_REASONS.some((reason) => reason === value);
}

function readTaskNos(value: unknown): readonly number[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const taskNos: unknown[] = [...value];
  return taskNos.every(isTaskNo) ? taskNos : undefined;
}

function isTaskNo(value: unknown): value is number {
  return Number.isSafeInteger(value);
}
