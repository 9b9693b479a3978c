import type { Failed, Held, Subject } from '../../domain/target/connector.ts';
import type { SqlDialect } from './dialect.ts';
import { NeedsDecision } from './needs-decision.ts';
import { type SqlDatabase, SqlFailure } from './session.ts';
import { runStatement } from './statement.ts';

type Run<S, Answer> = (subjects: readonly S[]) => Promise<readonly Answer[]>;

interface Server {
  readonly database: SqlDatabase;
  readonly dialect: SqlDialect;
}

/**
 * A value that the server cannot even read, such as one with a character that its encoding lacks, is found
 * nowhere; the subject's other values are searched for. Undefined if the failure was a different one: a row
 * that cannot be read says nothing about whose it is. So each value is sent alone, and compared with
 * nothing.
 */
export async function runReadable<S extends Subject, Answer>(
  server: Server,
  subject: S,
  failure: SqlFailure,
  run: Run<S, Answer>,
): Promise<Answer | Held | Failed | undefined> {
  if (failure.kind !== 'data') return undefined;
  const identities = [];
  for (const identity of subject.identities)
    if (await isReadable(server, identity.reveal())) identities.push(identity);
  if (identities.length === subject.identities.length) return undefined;
  try {
    const [answer] = await run([{ ...subject, identities }]);
    return answer;
  } catch (error) {
    if (isRefusedValue(error)) return undefined;
    // Of this person alone: the others of the batch go on.
    if (error instanceof NeedsDecision) return error.toHeld();
    if (!(error instanceof SqlFailure)) throw error;
    return { outcome: 'failed', code: error.code, detail: error.message };
  }
}

async function isReadable({ database, dialect }: Server, value: string): Promise<boolean> {
  try {
    await database.transaction('read', (session) =>
      runStatement(session, dialect, (bind) => `SELECT ${bind(value)} AS v`),
    );
    return true;
  } catch (error) {
    if (isRefusedValue(error)) return false;
    throw error;
  }
}

function isRefusedValue(error: unknown): boolean {
  return error instanceof SqlFailure && error.kind === 'data';
}
