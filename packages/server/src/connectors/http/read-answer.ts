// What the endpoint says about each subject, taken apart. Nothing of it is believed to be harmless:
// only names, numbers and codes of a fixed shape go further.
import { type Counts, type Failed, type Subject, TargetDown } from '../../domain/connector.ts';
import { refOf } from './call-body.ts';

export type Entry = Readonly<Record<string, unknown>>;

const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/;
const CODE = /^[a-z0-9_]{1,40}$/;
const MOST_NAMES = 200;
/** Shorter values stand in many a word by chance. */
const LEAST_TELLING = 6;

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
      return failed('no_answer', 'the endpoint said nothing about this request');
    if (another !== undefined) return badAnswer('it has more than one entry for this request');
    if (entry.error !== undefined && entry.error !== null)
      return failed(codeOf(entry.error, subject), 'the endpoint reported it for this request');
    return entry;
  });
}

export function isFailed(entry: Entry | Failed): entry is Failed {
  return entry.outcome === 'failed';
}

export function badAnswer(what: string): Failed {
  return failed('bad_answer', `the endpoint's answer is not as documented: ${what}`);
}

/** None where it is not an object of names and whole numbers. */
export function readCounts(value: unknown, subject: Subject): Counts | undefined {
  if (!isRecord(value)) return undefined;
  const pairs = Object.entries(value);
  const isSound = ([name, count]: [string, unknown]) =>
    NAME.test(name) && !tells(name, subject) && Number.isSafeInteger(count) && Number(count) >= 0;
  if (pairs.length > MOST_NAMES || !pairs.every(isSound)) return undefined;
  return Object.fromEntries(pairs.map(([name, count]) => [name, Number(count)]));
}

function entriesOf(answer: unknown, host: string): Entry[] {
  const subjects = isRecord(answer) ? answer.subjects : undefined;
  if (!Array.isArray(subjects) || !subjects.every(isEntry))
    throw new TargetDown(
      'bad_answer',
      `${host} answered without a list "subjects" of objects with a "ref"`,
    );
  // Copied name by name, so that no entry can pose as a failure of ours.
  return subjects.map(({ outcome: _, ...entry }) => entry);
}

function isEntry(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && typeof value.ref === 'string';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function codeOf(error: unknown, subject: Subject): string {
  const isCode = typeof error === 'string' && CODE.test(error) && !tells(error, subject);
  return isCode ? error : 'target_error';
}

/** A name or code that repeats who is meant would carry the identity into the evidence. */
function tells(text: string, { identities }: Subject): boolean {
  const folded = text.toLowerCase();
  return identities.some((identity) => {
    const value = identity.reveal().toLowerCase();
    return folded === value || (value.length >= LEAST_TELLING && folded.includes(value));
  });
}

function failed(code: string, detail: string): Failed {
  return { outcome: 'failed', code, detail };
}
