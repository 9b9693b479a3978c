// What happens to a table's rows: deleted, overwritten, or kept for a reason.
import { isObject } from '../../../domain/is-object.ts';
import type { Overwrite, TableAction } from '../../../domain/target/target.ts';
import { text } from '../../kinds.ts';
import type { Fields } from '../fields.ts';
import { overwrite } from './overwrite-kind.ts';

/** The action of a table that is only read: see `LeadConfig`. */
export const LEAD = 'lead';

const NULL: Overwrite = { kind: 'null' };

export function readAction(table: Fields): TableAction {
  const given = table.values.action ?? 'delete';
  if (given === 'delete') return { kind: 'delete' };
  if (!isObject(given)) {
    table.problem(
      'action',
      'must be delete, { overwrite: { … } }, { retain: "the reason" }, or lead',
    );
    return { kind: 'delete' };
  }
  const action = table.below('action');
  action.refuseOthersThan(['overwrite', 'retain']);
  if (action.has('overwrite') && action.has('retain')) {
    table.problem('action', 'has both overwrite and retain; keep one');
  }
  if (action.has('retain')) {
    return { kind: 'retain', reason: action.read('retain', text(), '') };
  }
  const columns = action.below('overwrite');
  const names = Object.keys(columns.values);
  if (names.length === 0) {
    table.problem('action', 'must name columns to overwrite, or a reason to retain the rows');
  }
  return {
    kind: 'overwrite',
    columns: Object.fromEntries(
      // Null is a value here: the column becomes NULL.
      names.map((column) => [column, columns.read(column, overwrite, NULL)]),
    ),
  };
}
