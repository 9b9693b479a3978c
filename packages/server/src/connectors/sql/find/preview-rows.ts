import type { KeyRow, Preview, Subject } from '../../../domain/connector.ts';
import type { TablesWork } from '../../../domain/target.ts';
import { runHalvingBeside } from '../halve.ts';
import { runReadable } from '../run-readable.ts';
import type { TablesTarget } from '../tables-target.ts';
import { claimRows, handOutRows } from './claim-rows.ts';
import { countLoosened } from './count-loosened.ts';
import { findRows } from './find-rows.ts';
import type { FoundRows } from './found-rows.ts';
import { refuseTenant } from './match-identities.ts';

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

  const answers = subjects.map((subject) => refuse(target, subject));
  const open = subjects.filter((_, place) => answers[place] === undefined);
  const previews = await runHalvingBeside(open, run, (subject, failure) =>
    runReadable(subject, failure, run),
  );
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

function ownRows(found: FoundRows): (table: string, subject: number) => Iterable<KeyRow> {
  return (table, subject) =>
    [...(found.get(table)?.values() ?? [])]
      .filter(({ owners }) => owners.includes(subject))
      .map(({ values }) => values);
}
