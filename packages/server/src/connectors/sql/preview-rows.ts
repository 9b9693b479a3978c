import type { KeyRow, Preview, Subject } from '../../domain/connector.ts';
import type { TablesWork } from '../../domain/target.ts';
import { claimRows, handOutRows } from './claim-rows.ts';
import { countLoosened } from './count-loosened.ts';
import { findRows } from './find-rows.ts';
import type { FoundRows } from './found-rows.ts';
import { runHalvingBeside } from './halve.ts';
import { refuseTenant } from './match-identities.ts';
import { SqlFailure } from './session.ts';
import type { TablesTarget } from './tables-target.ts';

export async function previewRows(
  target: TablesTarget,
  subjects: readonly Subject[],
): Promise<Preview[]> {
  const plan = await target.plan();

  async function run(batch: readonly Subject[]): Promise<Preview[]> {
    return target.read(async (context) => {
      const found = await findRows(context, batch, { byIdentity: true });
      const rowsOf = ownRows(found);
      const loosened = await countLoosened(context, batch.length, rowsOf);
      return handOutRows(context.plan, batch, found, loosened);
    });
  }

  // A value that the server cannot even read, such as a character that its encoding lacks, is found
  // nowhere; the subject's other values are.
  async function alone(subject: Subject, failure: SqlFailure): Promise<Preview | undefined> {
    if (failure.kind !== 'data') return undefined;
    const identities = [];
    for (const identity of subject.identities) {
      if (await isReadable(run, { ...subject, identities: [identity] })) identities.push(identity);
    }
    const [preview] = await run([{ ...subject, identities }]);
    return preview;
  }

  const answers = subjects.map((subject) => refuse(target, subject));
  const open = subjects.filter((_, place) => answers[place] === undefined);
  const previews = await runHalvingBeside(open, run, alone);
  const claimed = claimRows(plan, open, previews);
  return answers.map((answer) => answer ?? claimed.shift() ?? { outcome: 'unmatched' });

  function refuse({ config, work, dialect }: TablesTarget, subject: Subject): Preview | undefined {
    if (!isUsable(work, subject)) return { outcome: 'unmatched' };
    const { tenancy } = config;
    if (tenancy.way === 'controller' && tenancy.controllerId !== subject.controllerId)
      return { outcome: 'unmatched' };
    return refuseTenant(dialect, config, plan.tables, subject);
  }
}

function isUsable(work: TablesWork, subject: Subject): boolean {
  return work.tables.some(({ match }) =>
    subject.identities.some(({ type }) => match[type] !== undefined),
  );
}

async function isReadable(
  run: (batch: readonly Subject[]) => Promise<unknown>,
  subject: Subject,
): Promise<boolean> {
  try {
    await run([subject]);
    return true;
  } catch (error) {
    if (error instanceof SqlFailure && error.kind === 'data') return false;
    throw error;
  }
}

function ownRows(found: FoundRows): (table: string, subject: number) => Iterable<KeyRow> {
  return (table, subject) =>
    [...(found.get(table)?.values() ?? [])]
      .filter(({ owners }) => owners.includes(subject))
      .map(({ values }) => values);
}
