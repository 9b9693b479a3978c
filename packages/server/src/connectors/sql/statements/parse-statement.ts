// Hand-written SQL, ready to run. The configuration was checked by the same rules; here they are checked again.
import {
  holdsSeveralStatements,
  SQL_PARAMETERS,
  type SqlParameter,
  speaksOfTransactions,
  splitStatement,
  withoutEnd,
} from '../../../domain/target/sql-parameters.ts';
import type { SqlConnector } from '../../../domain/target/target.ts';
import { planMisfit } from '../plan/plan-misfits.ts';

export type ParsedStatement = readonly (string | { readonly parameter: SqlParameter })[];

export function parseStatement(connector: SqlConnector, sql: string): ParsedStatement {
  if (holdsSeveralStatements(sql, connector)) {
    throw planMisfit('a hand-written statement holds several statements: list them one by one');
  }
  if (speaksOfTransactions(sql, connector)) {
    throw planMisfit('a hand-written statement may not begin or end transactions: leave it out');
  }
  return splitStatement(withoutEnd(sql, connector), connector).map((piece) =>
    typeof piece === 'string' ? piece : { parameter: toParameter(piece.parameter) },
  );
}

export function parametersIn(statement: ParsedStatement): ReadonlySet<string> {
  return new Set(statement.flatMap((part) => (typeof part === 'string' ? [] : [part.parameter])));
}

function toParameter(name: string): SqlParameter {
  const known = SQL_PARAMETERS.find((parameter) => parameter === name);
  if (known !== undefined) return known;
  throw planMisfit(
    `a hand-written statement uses :${name}; the parameters are ${SQL_PARAMETERS.map((parameter) => `:${parameter}`).join(', ')}`,
  );
}
