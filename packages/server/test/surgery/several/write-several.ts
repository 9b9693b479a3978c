import type { CaseDatabase } from '../databases.ts';
import type { Configuration } from '../generated-case.ts';
import { writeTarget } from '../write-configuration.ts';
import type { SeveralCase } from './several-case.ts';

type Place = Pick<CaseDatabase, 'connector' | 'address'>;

/** As the value of unwrite.config.yaml. */
export function writeSeveral(
  { targets }: SeveralCase,
  places: readonly Place[],
  named: (name: string) => string,
): Record<string, unknown> {
  const written = targets.map(({ name, place, configuration, after, isByHand }) => {
    const at = places[place];
    if (at === undefined) throw new Error(`there is no database ${place}`);
    const target = { connector: at.connector, address: at.address() };
    return [
      named(name),
      {
        ...(isByHand
          ? writeByHand(configuration, writeTarget(configuration, target))
          : writeTarget(configuration, target)),
        ...(after.length > 0 && { after: after.map(named) }),
      },
    ];
  });
  return { targets: Object.fromEntries(written) };
}

/** The same as statements. */
function writeByHand(
  { tenancy, tables }: Configuration,
  { tables: _, tenant_column: __, tenants: ___, ...target }: Record<string, unknown>,
): Record<string, unknown> {
  const [entry] = tables;
  const [type, columns = []] = Object.entries(entry?.match ?? {})[0] ?? ['', []];
  const column = columns[0]?.column ?? '';
  const found =
    type === 'email' ? `lower(${column}) = lower(:email)` : `${column} = :controller_customer_id`;
  const tenant = tenancy.way === 'column' ? ` AND ${tenancy.column} = :controller_id` : '';
  const rows = `FROM ${entry?.table} WHERE ${found}${tenant}`;
  const count = `SELECT count(*) ${rows}`;
  return { ...target, sql: { preview: count, erase: [`DELETE ${rows}`], verify: count } };
}
