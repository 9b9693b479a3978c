import type { Found, KeyRow, Preview, Subject } from '../../../domain/target/connector.ts';
import { timesOf } from '../erase/time-text.ts';
import { runHalvingBeside } from '../halve.ts';
import type { Plan } from '../plan/plan.ts';
import { planMisfit } from '../plan/plan-misfits.ts';
import { runReadable } from '../run-readable.ts';
import type { TablesTarget } from '../tables-target.ts';
import { askedTables } from './asked-tables.ts';
import { claimRows, handOutRows, withoutUnnamed } from './claim-rows.ts';
import { askedBefore, decideReferences } from './decide-references.ts';
import type { RowsThatGo } from './find-referring.ts';
import { findRows } from './find-rows.ts';
import type { Findings } from './found-rows.ts';
import { markUnknownTenants } from './known-tenants.ts';
import { lookUpAgain } from './lookups/look-up-again.ts';
import { refuseTenant, tenantOf } from './tenants.ts';

/** How often the schema may change while rows are searched for. */
const MAX_SCHEMAS = 3;

export async function previewRows(
  target: TablesTarget,
  subjects: readonly Subject[],
): Promise<Preview[]> {
  for (let schemas = 0; schemas < MAX_SCHEMAS; schemas++) {
    const seen = target.changesSeen();
    const previews = await previewBy(await target.plan(), target, subjects);
    if (target.changesSeen() === seen) return previews;
  }
  throw planMisfit('the schema of the database keeps changing');
}

async function previewBy(
  plan: Plan,
  target: TablesTarget,
  subjects: readonly Subject[],
): Promise<Preview[]> {
  async function run(batch: readonly Subject[]): Promise<Preview[]> {
    return target.read(async (context) => {
      const findings = await findRows({ ...context, times: timesOf(batch) }, batch);
      const own = ownRows(findings);
      // Nothing is erased for a subject that is held: references to its rows would hide the real reason.
      const rowsOf: RowsThatGo = (table, place) =>
        findings.holds.has(place) ? [] : own(table, place);
      const tenants = batch.map((subject) => tenantOf(target.config.tenancy, subject));
      const { detached } = await decideReferences(
        { ...context, subjects: batch, tenants, isErasing: false },
        askedBefore(context.plan),
        rowsOf,
      );
      const found = handOutRows(context.plan, batch, findings, detached);
      return found.map((one, place) => findings.holds.get(place) ?? one);
    });
  }

  const { unknown, changed } = await lookUpAgain(target, subjects);
  const answers = subjects.map((subject) => changed.get(subject.taskNo) ?? refuse(target, subject));
  const open = subjects.filter((_, place) => answers[place] === undefined);
  const previews = await runHalvingBeside(target.database, open, run, (subject, failure) =>
    runReadable(target, subject, failure, run),
  );
  const claimed = claimRows(plan, open, previews).map((preview, place) =>
    withSkipped(withoutUnnamed(plan, preview), open[place]),
  );
  const marked = await markUnknownTenants(target, open, claimed);
  return answers.map((answer) => answer ?? marked.shift() ?? { outcome: 'unmatched' });

  function refuse({ config, dialect }: TablesTarget, subject: Subject): Preview | undefined {
    const { tenancy } = config;
    if (tenancy.way === 'controller' && tenancy.controllerId !== subject.controllerId)
      return { outcome: 'unmatched' };
    const asked = askedTables(plan, subject, unknown.get(subject.taskNo));
    if (!asked.any) return { outcome: 'unmatched' };
    return asked.held ?? refuseTenant(dialect, config, [...plan.tables, ...plan.leads], subject);
  }

  function withSkipped(preview: Preview, subject: Subject | undefined): Preview {
    if (preview.outcome !== 'found' || subject === undefined) return preview;
    const none = unknown.get(subject.taskNo);
    // The person was found in another way than by the lookup: then rows with the looked-up type may exist
    // too.
    const held = none === undefined ? undefined : askedTables(plan, subject).held;
    if (held !== undefined && hasFound(preview)) return held;
    const { skipped } = askedTables(plan, subject, none);
    return skipped.length === 0 ? preview : { ...preview, skipped };
  }
}

function hasFound({ counts, retained, kept = {} }: Found): boolean {
  return [counts, retained, kept].some((tables) => Object.keys(tables).length > 0);
}

/** The rows to be erased, without those that are kept. Each table is read once for all subjects. */
export function ownRows({
  tables,
}: Findings): (table: string, subject: number) => Iterable<KeyRow> {
  const known = new Map<string, Map<number, KeyRow[]>>();

  function bySubject(table: string): Map<number, KeyRow[]> {
    const rowsOf = new Map<number, KeyRow[]>();
    for (const { values, owners, kept, isDone } of tables.get(table)?.values() ?? []) {
      if (isDone) continue;
      for (const owner of owners) {
        if (kept?.includes(owner)) continue;
        const rows = rowsOf.get(owner);
        if (rows === undefined) rowsOf.set(owner, [values]);
        else rows.push(values);
      }
    }
    return rowsOf;
  }

  return (table, subject) => {
    const rowsOf = known.get(table) ?? bySubject(table);
    known.set(table, rowsOf);
    return rowsOf.get(subject) ?? [];
  };
}
