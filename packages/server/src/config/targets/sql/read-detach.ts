// References in rows that stay, which may become NULL if they refer to deleted rows.
import type { DetachedColumn } from '../../../domain/target/target.ts';
import type { Fields } from '../fields.ts';
import { readNames } from '../read-names.ts';

/** `billing.invoices.customer`: the part before the last dot is the table. */
export function readDetach(target: Fields): DetachedColumn[] {
  return readNames(target, 'detach').map((written, i) => {
    const dot = written.lastIndexOf('.');
    const column = written.slice(dot + 1);
    if (written !== '' && (dot < 1 || column === '')) {
      target.problem(
        `detach[${i}]`,
        'must be a table and its column, such as employees.manager_id: the reference that may become NULL',
      );
    }
    return { table: written.slice(0, Math.max(0, dot)), column };
  });
}
