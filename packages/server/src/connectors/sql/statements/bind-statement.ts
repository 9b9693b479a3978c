// Which values each run of a statement binds: the first identity of each type together, then the second ones.
import { IDENTITY_TYPES, type IdentityType } from '@unwrite/protocol';
import type { Subject } from '../../../domain/target/connector.ts';
import type { SqlParameter } from '../../../domain/target/sql-parameters.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import { tenantOf } from '../find/tenants.ts';
import type { SqlValue } from '../session.ts';
import type { ParsedStatement } from './parse-statement.ts';

export type Run = Readonly<Record<SqlParameter, string | null>>;

/** The ASCII letters of an email are folded, as in all other comparisons. */
export function runsOf(config: SqlTargetConfig, subject: Subject): Run[] {
  const byType = IDENTITY_TYPES.map((type) => ({
    type,
    values: subject.identities.filter((own) => own.type === type).map((own) => own.matchKey()),
  }));
  const { tenancy } = config;
  // A controller without its own value gets NULL, which equals no value of a row.
  const tenant =
    tenancy.way === 'parameter' ? (tenantOf(tenancy, subject)[0] ?? null) : subject.controllerId;
  const length = Math.max(...byType.map(({ values }) => values.length));
  return Array.from({ length }, (_, run) => {
    const own = byType.map(({ type, values }) => [type, values[run] ?? null]);
    const identities: Record<IdentityType, string | null> = Object.fromEntries(own);
    return { controller_id: subject.controllerId, tenant, ...identities };
  });
}

export function bindStatement(
  dialect: SqlDialect,
  statement: ParsedStatement,
  run: Run,
): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const values: SqlValue[] = [];
  const parts = statement.map((part) =>
    typeof part === 'string' ? part : dialect.namedPlaceholder(values.push(run[part.parameter])),
  );
  return { sql: parts.join(''), values };
}
