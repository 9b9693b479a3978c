// Which values each run of a statement binds: the k-th email and the k-th customer id together.
import type { Subject } from '../../../domain/target/connector.ts';
import type { SqlParameter } from '../../../domain/target/sql-parameters.ts';
import type { SqlTargetConfig } from '../../../domain/target/target.ts';
import type { SqlDialect } from '../dialect.ts';
import { tenantOf } from '../find/match-identities.ts';
import type { SqlValue } from '../session.ts';
import type { ParsedStatement } from './parse-statement.ts';

export type Run = Readonly<Record<SqlParameter, string | null>>;

/** An email has its ASCII letters folded, as it is matched everywhere else. */
export function runsOf(config: SqlTargetConfig, subject: Subject): Run[] {
  const ofType = (type: 'email' | 'controller_customer_id') =>
    subject.identities.filter((own) => own.type === type).map((own) => own.matchKey());
  const emails = ofType('email');
  const ids = ofType('controller_customer_id');
  const { tenancy } = config;
  // A controller without a value of its own gets NULL, which equals no row's.
  const tenant =
    tenancy.way === 'parameter' ? (tenantOf(tenancy, subject) ?? null) : subject.controllerId;
  return Array.from({ length: Math.max(emails.length, ids.length) }, (_, turn) => ({
    controller_id: subject.controllerId,
    tenant,
    email: emails[turn] ?? null,
    controller_customer_id: ids[turn] ?? null,
  }));
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
