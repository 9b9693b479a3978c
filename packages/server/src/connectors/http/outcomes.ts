// Turns the endpoint's entry for one subject into the outcome of a connector.
import { byName } from '../../domain/by-name.ts';
import {
  type EraseOrder,
  type Erasure,
  type Preview,
  type Subject,
  totalOf,
  type Verdict,
} from '../../domain/target/connector.ts';
import { MAX_ROWS_IN_ANSWER } from '../../domain/target/countable.ts';
import { moreThan, readCounts } from '../read-reported.ts';
import { badAnswer, type Entry } from './read-answer.ts';

export function previewOf(entry: Entry, subject: Subject): Preview {
  if (entry.unmatched === true)
    return findsNothing(entry.found, subject) && findsNothing(entry.retained, subject)
      ? { outcome: 'unmatched' }
      : badAnswer('it says "unmatched" and has found something');
  const counts = readCounts(entry.found, subject);
  const retained = readCounts(entry.retained ?? {}, subject);
  if (counts === undefined) return wrongCounts('found');
  if (retained === undefined) return wrongCounts('retained');
  return { outcome: 'found', counts, retained, keys: byName(), sharedWith: [] };
}

function findsNothing(reported: unknown, subject: Subject): boolean {
  const counts = readCounts(reported ?? {}, subject);
  return counts !== undefined && totalOf(counts) === 0;
}

export function erasureOf(entry: Entry, order: EraseOrder): Erasure {
  const counts = readCounts(entry.erased, order);
  if (counts === undefined) return wrongCounts('erased');
  const more = moreThan(counts, order.counts);
  if (more.length === 0) return { outcome: 'erased', counts };
  return {
    outcome: 'held',
    reason: 'more_than_previewed',
    erased: counts,
    detail: `the endpoint reports more erased than its preview found: ${more.join(', ')}; find out why, then release, which previews again, or retain`,
  };
}

export function verdictOf(entry: Entry, order: EraseOrder): Verdict {
  const counts = readCounts(entry.remaining, order);
  if (counts === undefined) return wrongCounts('remaining');
  if (totalOf(counts) > 0) return { outcome: 'remains', counts };
  return { outcome: 'gone', how: 'requeried' };
}

function wrongCounts(field: string) {
  return badAnswer(
    `"${field}" must be an object of names and whole numbers, at most ${MAX_ROWS_IN_ANSWER} together`,
  );
}
