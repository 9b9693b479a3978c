// Adds the tables that are only read because they know the tenant of other tables' rows.
import type { TenantOfTable } from './find-tenants.ts';
import { writeTenant } from './suggest-table.ts';
import type { PlannedEntry } from './suggested-plan.ts';
import { writeScalar } from './write-yaml.ts';

export function withLeads(
  entries: readonly PlannedEntry[],
  tenants: ReadonlyMap<string, TenantOfTable>,
  column: string | undefined,
): PlannedEntry[] {
  const told = new Map<string, PlannedEntry>(entries.map((one) => [one.table, one]));
  const leads = new Map<string, PlannedEntry>();
  const open = entries.filter(({ lines }) => lines.some(isTenant)).map((one) => ({ ...one }));
  for (let child = open.pop(); child !== undefined; child = open.pop()) {
    const own = tenants.get(child.table);
    if (own === undefined || 'column' in own) continue;
    const { parent } = own.reference;
    const known = told.get(parent);
    const needed = leadTo(parent, child, tenants.get(parent), column);
    // An entry that may be left out does not lead.
    const isCertain = known !== undefined && known.question === undefined;
    if (known !== undefined && needed.lines.length > 1 && !known.lines.some(isTenant)) {
      const more = { ...known, lines: [...known.lines, ...needed.lines.filter(isTenant)] };
      told.set(parent, more);
      open.push(more);
    }
    if (isCertain || (known?.question === child.question && known !== undefined)) continue;
    const before = leads.get(parent);
    if (before !== undefined && (before.question === undefined || child.question !== undefined))
      continue;
    const instead = known?.question;
    const take = instead === undefined ? [] : [`take it out with question ${instead}`];
    leads.set(parent, { ...needed, notes: [...needed.notes, ...take] });
    open.push(needed);
  }
  return [...entries.map((one) => told.get(one.table) ?? one), ...leads.values()];
}

const isTenant = (line: string): boolean => line.startsWith('tenant: ');

function leadTo(
  table: string,
  { table: child, question }: PlannedEntry,
  own: TenantOfTable | undefined,
  column: string | undefined,
): PlannedEntry {
  const told = own === undefined || ('column' in own && own.column === column) ? [] : [tell(own)];
  return {
    table,
    notes: [`only read: knows the tenant of ${child}`],
    lines: ['action: lead', ...told],
    ...(question !== undefined && { question }),
  };
}

const tell = (own: TenantOfTable): string =>
  'column' in own ? `tenant_column: ${writeScalar(own.column)}` : writeTenant(own.reference);
