// Splits the endpoint's answer into what it says about each subject.
import { isObject } from '../../domain/is-object.ts';
import { type Failed, type Subject, TargetDown } from '../../domain/target/connector.ts';
import { readCode } from '../read-reported.ts';
import { refOf } from './call-body.ts';

export type Entry = Readonly<Record<string, unknown>>;

/** One entry or failure for each subject, in their order. */
export function readAnswer(
  answer: unknown,
  subjects: readonly Subject[],
  host: string,
): (Entry | Failed)[] {
  const entries = Map.groupBy(entriesOf(answer, host), ({ ref }) => ref);
  const asked = new Set<unknown>(subjects.map(refOf));
  if ([...entries.keys()].some((ref) => !asked.has(ref)))
    throw new TargetDown('bad_answer', `${host} answered for a ref that it was not asked about`);
  return subjects.map((subject) => {
    const [entry, another] = entries.get(refOf(subject)) ?? [];
    if (entry === undefined)
      return failed('no_answer', 'the answer of the endpoint has no entry for this request');
    if (another !== undefined) return badAnswer('it has more than one entry for this request');
    if (entry.error !== undefined && entry.error !== null)
      return failed(readCode(entry.error, subject), 'the endpoint reported it for this request');
    return entry;
  });
}

export function isFailed(entry: Entry | Failed): entry is Failed {
  return entry.outcome === 'failed';
}

export function badAnswer(what: string): Failed {
  return failed('bad_answer', `the endpoint's answer is not as documented: ${what}`);
}

function entriesOf(answer: unknown, host: string): Entry[] {
  const subjects = isObject(answer) ? answer.subjects : undefined;
  if (!Array.isArray(subjects) || !subjects.every(isEntry))
    throw new TargetDown(
      'bad_answer',
      `${host} answered without a list "subjects" of objects with a "ref"`,
    );
  // Without `outcome`, so that no entry can be mistaken for a failure of ours.
  return subjects.map(({ outcome: _, ...entry }) => entry);
}

function isEntry(value: unknown): value is Record<string, unknown> {
  return isObject(value) && typeof value.ref === 'string';
}

function failed(code: string, detail: string): Failed {
  return { outcome: 'failed', code, detail };
}
