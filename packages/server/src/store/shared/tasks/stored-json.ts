// What is stored as JSON, read without trust: a column that somebody else wrote may hold anything, and must stop nothing but
// what it is about.
import type { Evidence, Plan } from '../../../domain/task/task.ts';

/** undefined: it is none. */
export function readObject(text: string | null): object | undefined {
  try {
    const read: unknown = JSON.parse(text ?? 'null');
    return typeof read === 'object' && read !== null ? read : undefined;
  } catch {
    return undefined;
  }
}

export function readEvidence(text: string | null): Evidence | undefined {
  const read = readObject(text) as Partial<Evidence> | undefined;
  const tables: unknown = read?.tables;
  if (typeof read?.action !== 'string' || typeof tables !== 'object' || tables === null) {
    return undefined;
  }
  const isWhole = Object.values(tables).every((one) => typeof one === 'object' && one !== null);
  return isWhole ? (read as Evidence) : undefined;
}

/** Of a task whose own cannot be read. */
export const NO_EVIDENCE: Evidence = {
  action: 'not_found',
  connector: '',
  tables: {},
  verified: 'not applicable',
  attempts: 0,
  started_time: '',
  finished_time: '',
};

export function readPlan(text: string | null): Plan['targets'] | undefined {
  const read = readObject(text ?? '[]');
  return Array.isArray(read) && read.every((one) => typeof one?.target === 'string')
    ? read
    : undefined;
}
