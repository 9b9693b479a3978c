// Foreign keys of periods (PERIOD, PostgreSQL 18): a row refers to rows whose periods contain its own, so equal values
// do not tell which rows refer.
import type { CheckLine } from '../../../../domain/target/connector.ts';
import type { Catalogue } from '../../catalogue.ts';
import { BY_HAND, problem } from '../line.ts';

/** `names`: the tables that the configuration names. */
export function checkPeriods(names: readonly string[], catalogue: Catalogue): CheckLine[] {
  return [...catalogue.values()].flatMap(({ referencedBy }) =>
    referencedBy
      .filter(({ isOfPeriods }) => isOfPeriods === true)
      .filter(({ table, referenced }) => [table, referenced].some((one) => names.includes(one)))
      .map(({ name, table, referenced }) =>
        problem(
          table,
          `refers to ${referenced} by periods (foreign key ${name}, PERIOD), so equal values do not tell which rows refer; ${BY_HAND}`,
        ),
      ),
  );
}
