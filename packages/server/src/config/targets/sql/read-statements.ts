// Hand-written `sql` of a target.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { didYouMean } from '../../../domain/did-you-mean.ts';
import {
  holdsSeveralStatements,
  parametersOf,
  SQL_PARAMETERS,
  speaksOfTransactions,
} from '../../../domain/target/sql-parameters.ts';
import type { SqlConnector, StatementsWork } from '../../../domain/target/target.ts';
import { text } from '../../kinds.ts';
import { type Fields, readValue } from '../fields.ts';

const NAMES = ['preview', 'erase', 'verify'];
const TENANT_PARAMETERS = ['controller_id', 'tenant'];
const statement = text();

export function readStatementsWork(target: Fields, connector: SqlConnector): StatementsWork {
  const sql = target.below('sql');
  sql.refuseOthersThan(NAMES);
  const check = (name: string, statementText: string) =>
    checkStatement(statementText, connector, (message) => sql.problem(name, message));

  function single(name: string): string {
    const value = sql.need(name, statement, '');
    check(name, value);
    return value;
  }

  const erase = sql.items('erase').map((item, i) => {
    const field = Array.isArray(sql.values.erase) ? `erase[${i}]` : 'erase';
    const value = readValue(item, statement, '', `${sql.place}.${field}`, sql.problems);
    check(field, value);
    return value;
  });
  if (erase.length === 0) sql.problem('erase', 'must have a statement');
  return { kind: 'statements', preview: single('preview'), erase, verify: single('verify') };
}

function checkStatement(
  sql: string,
  connector: SqlConnector,
  problem: (message: string) => void,
): void {
  if (sql === '') return;
  if (holdsSeveralStatements(sql, connector)) {
    problem('holds several statements; "erase" may be a list, "preview" and "verify" are one each');
  }
  if (speaksOfTransactions(sql, connector))
    problem('must not begin or end transactions: Unwrite does that');
  const known: readonly string[] = SQL_PARAMETERS;
  const used = parametersOf(sql, connector);
  for (const name of used) {
    if (known.includes(name)) continue;
    problem(`:${name} is not a parameter (there are ${listed(known)})${didYouMean(name, known)}`);
  }
  if (!IDENTITY_TYPES.some((type) => used.has(type))) {
    problem(
      `must use ${listed(IDENTITY_TYPES, ' or ')}, outside of quotes; it would touch everybody's rows otherwise`,
    );
  }
}

/** Whether all, some or none of the statements distinguish controllers by a parameter. */
export function tenantParametersIn(
  { preview, erase, verify }: StatementsWork,
  connector: SqlConnector,
): 'all' | 'some' | 'none' {
  const uses = [preview, ...erase, verify].map((sql) => {
    const used = parametersOf(sql, connector);
    return TENANT_PARAMETERS.some((name) => used.has(name));
  });
  if (uses.every((it) => it)) return 'all';
  return uses.some((it) => it) ? 'some' : 'none';
}

function listed(names: readonly string[], between = ', '): string {
  return names.map((name) => `:${name}`).join(between);
}
