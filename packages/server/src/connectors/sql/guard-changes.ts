// Whatever changed in the transaction beside what was ordered rolls it back: rows that came after the
// preview and went by a cascade, or a trigger that writes elsewhere.
import type { TablesWork } from '../../domain/target.ts';
import type { Catalogue } from './catalogue.ts';
import { EVERY_TABLE } from './dialect.ts';
import type { FindContext } from './find-rows.ts';
import { NeedsDecision } from './needs-decision.ts';

export interface ChangeGuard {
  /** `own`: rows that our statements changed, and that the operator has allowed to be, by table. */
  check(own: ReadonlyMap<string, number>): Promise<void>;
}

/** To be called before the first change. */
export async function startChangeGuard(
  { session, dialect, plan }: FindContext,
  work: TablesWork,
  catalogue: () => Promise<Catalogue>,
): Promise<ChangeGuard> {
  const names = [...new Set([...plan.tables.map(({ name }) => name), ...work.cascades])];
  const { changesSoFar } = dialect;
  const before = await changesSoFar?.(session, names);
  if (changesSoFar === null || before === undefined) return { check: async () => undefined };

  return {
    async check(own) {
      const after = await changesSoFar(session, names);
      const all = [...own.values()].reduce((sum, count) => sum + count, 0);
      for (const [table, changes] of after) {
        const extra =
          changes -
          (before.get(table) ?? 0) -
          (table === EVERY_TABLE ? all : (own.get(table) ?? 0));
        if (extra === 0) continue;
        if (table === EVERY_TABLE) {
          if (await firesListedTrigger()) continue;
          throw more('other rows');
        }
        if (plan.tables.some(({ name }) => name === table)) throw more(`rows of ${table}`);
        // Not reached by a foreign key, so listed for a trigger that the operator has looked at.
        if (work.cascades.includes(table)) continue;
        throw new NeedsDecision(
          'unplanned_change',
          `erasing also changes ${table}, which the target does not declare; add it to "tables" or "cascades"`,
        );
      }
    },
  };

  // The sum does not tell where: a trigger that is allowed to write makes it useless.
  async function firesListedTrigger(): Promise<boolean> {
    const shapes = await catalogue();
    return names.some((name) =>
      shapes.get(name)?.triggers.some((trigger) => work.triggers.includes(trigger.name)),
    );
  }
}

function more(what: string): NeedsDecision {
  return new NeedsDecision(
    'more_than_previewed',
    `erasing would also change ${what} that the preview did not find; preview again`,
  );
}
