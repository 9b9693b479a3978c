// Finds rows in the transaction that is to erase them, and asks which people it may erase. Who is held leaves the batch:
// then everything is found anew without them, because rows may be tied to several people.
import type {
  EraseOrder,
  EraseSteps,
  Found,
  Preview,
  Subject,
} from '../../../domain/target/connector.ts';
import { claimRows, handOutRows } from '../find/claim-rows.ts';
import {
  askedBefore,
  type DecidedReferences,
  decideReferences,
} from '../find/decide-references.ts';
import type { FindBatch, FindContext } from '../find/find-context.ts';
import { findRows } from '../find/find-rows.ts';
import type { Findings } from '../find/found-rows.ts';
import { isNowhere, markUnknownTenants } from '../find/known-tenants.ts';
import { ownRows, refuseSubject, sayFound, type UnknownTypes } from '../find/preview-rows.ts';
import { tenantOf } from '../find/tenants.ts';
import type { PlannedReference } from '../plan/plan.ts';
import type { TablesTarget } from '../tables-target.ts';
import { lockRows } from './lock-rows.ts';
import { timesOf } from './time-text.ts';

/** The rows of one person, with those of tables without a unique key. */
export interface ToErase {
  readonly order: EraseOrder;
  readonly found: Found;
}

export interface RowsToErase {
  readonly batch: FindBatch;
  /** In the order of the batch's subjects; undefined for those who have no rows and no order. */
  readonly people: readonly (ToErase | undefined)[];
  readonly findings: Findings;
  readonly references: DecidedReferences;
}

export interface ToSearch {
  readonly target: TablesTarget;
  readonly context: FindContext;
  readonly unknown: UnknownTypes;
  readonly decide: EraseSteps['decide'];
}

/** `ordered`: by task number, those that may be erased, also where they have no rows. */
export async function findToErase(
  search: ToSearch,
  subjects: readonly Subject[],
): Promise<RowsToErase & { readonly ordered: ReadonlySet<number> }> {
  for (let open = subjects; ; ) {
    const found = await findOnce(search, open);
    const orders = search.decide(open, found.previews);
    const byTask = new Map(orders.map((order) => [order.taskNo, order]));
    const left = open.filter(({ taskNo }) => !byTask.has(taskNo));
    if (!left.some(({ taskNo }) => found.mayTie.has(taskNo))) {
      const { batch, rows, findings, references } = found;
      const people = batch.subjects.map(({ taskNo }, place): ToErase | undefined => {
        const [order, own] = [byTask.get(taskNo), rows[place]];
        return order === undefined || own?.outcome !== 'found' ? undefined : { order, found: own };
      });
      return { batch, people, findings, references, ordered: new Set(byTask.keys()) };
    }
    open = open.filter(({ taskNo }) => byTask.has(taskNo));
  }
}

interface FoundOnce {
  /** Those that can be searched for. */
  readonly batch: FindBatch;
  /** In their order. */
  readonly rows: readonly Preview[];
  readonly findings: Findings;
  readonly references: DecidedReferences;
  /** In the order of all. */
  readonly previews: readonly Preview[];
  /** People for whom something was found, which may also be tied to others. */
  readonly mayTie: ReadonlySet<number>;
}

async function findOnce(
  { target, context: given, unknown }: ToSearch,
  all: readonly Subject[],
): Promise<FoundOnce> {
  const { plan, dialect, config } = given;
  const refused = new Map(
    all.flatMap((subject): [number, Preview][] => {
      const answer = refuseSubject(target, plan, subject, unknown);
      return answer === undefined ? [] : [[subject.taskNo, answer]];
    }),
  );
  const subjects = all.filter(({ taskNo }) => !refused.has(taskNo));
  const context = { ...given, times: timesOf(subjects) };
  const tenants = subjects.map((subject) => tenantOf(config.tenancy, subject));
  const batch: FindBatch = { ...context, subjects, tenants, isErasing: true };
  const findings = await findRows(context, subjects, { isErasing: true });
  if (dialect.forUpdate !== '') await lockRows(batch, findings);
  const own = ownRows(findings);
  const references = await decideReferences(
    batch,
    dialect.asksBeforeAll ? plan.references.filter(acts) : askedBefore(plan),
    // References to rows of people who are held would hide the real reason.
    (table, place) => (findings.holds.has(place) ? [] : own(table, place)),
  );
  const ofEach = handOutRows(plan, subjects, findings, references.detached).map(
    (one, place) => findings.holds.get(place) ?? one,
  );
  const rows = claimRows(plan, subjects, ofEach);
  const answers = await markUnknownTenants(
    { ...target, read: (use) => use(context) },
    subjects,
    rows.map((preview, place) => sayFound(plan, preview, subjects[place], unknown)),
  );
  const byTask = new Map(subjects.map(({ taskNo }, place) => [taskNo, answers[place]]));
  return {
    batch,
    rows,
    findings,
    references,
    previews: all.map(
      ({ taskNo }) => refused.get(taskNo) ?? byTask.get(taskNo) ?? { outcome: 'unmatched' },
    ),
    mayTie: new Set(
      subjects.flatMap(({ taskNo }, place) => (isNowhere(ofEach[place]) ? [] : [taskNo])),
    ),
  };
}

/** Whether other rows than the plan's own may be affected, or the database itself may change rows. */
function acts({ onDelete, isFoundByVia, release }: PlannedReference): boolean {
  const isRefused = onDelete === 'no_action' || onDelete === 'restrict';
  return !isFoundByVia || release !== null || !isRefused;
}
