import type { Subject } from '../../domain/target/connector.ts';
import { SqlFailure } from './session.ts';

type Run<S, Answer> = (subjects: readonly S[]) => Promise<readonly Answer[]>;

/**
 * A value that the server cannot even read, such as a character that its encoding lacks, is found nowhere;
 * the subject's other values are. Undefined where the failure was another one. `probe` only looks: a value
 * is unreadable where looking for it alone fails.
 */
export async function runReadable<S extends Subject, Answer>(
  subject: S,
  failure: SqlFailure,
  run: Run<S, Answer>,
  probe: Run<S, unknown> = run,
): Promise<Answer | undefined> {
  if (failure.kind !== 'data') return undefined;
  const identities = [];
  for (const identity of subject.identities) {
    if (await isReadable(probe, { ...subject, identities: [identity] })) identities.push(identity);
  }
  // Where none is unreadable by itself, something else is wrong.
  if (identities.length === subject.identities.length) return undefined;
  const [answer] = await run([{ ...subject, identities }]);
  return answer;
}

async function isReadable<S>(probe: Run<S, unknown>, subject: S): Promise<boolean> {
  try {
    await probe([subject]);
    return true;
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'data') return false;
    throw error;
  }
}
