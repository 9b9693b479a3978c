import type { Subject } from '../../domain/connector.ts';
import { SqlFailure } from './session.ts';

/**
 * A value that the server cannot even read, such as a character that its encoding lacks, is found nowhere;
 * the subject's other values are. Undefined where the failure was another one.
 */
export async function runReadable<S extends Subject, Answer>(
  subject: S,
  failure: SqlFailure,
  run: (subjects: readonly S[]) => Promise<readonly Answer[]>,
): Promise<Answer | undefined> {
  if (failure.kind !== 'data') return undefined;
  const identities = [];
  for (const identity of subject.identities) {
    if (await isReadable(run, { ...subject, identities: [identity] })) identities.push(identity);
  }
  // Where none is unreadable by itself, something else is wrong.
  if (identities.length === subject.identities.length) return undefined;
  const [answer] = await run([{ ...subject, identities }]);
  return answer;
}

async function isReadable<S>(
  run: (subjects: readonly S[]) => Promise<unknown>,
  subject: S,
): Promise<boolean> {
  try {
    await run([subject]);
    return true;
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'data') return false;
    throw error;
  }
}
