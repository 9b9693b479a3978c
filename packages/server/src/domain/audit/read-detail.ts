// Reads the detail of an audit row. If someone else wrote it, it may be anything: then it is ignored.
import { objectFromJson } from '../stored-json.ts';

type Detail = Readonly<Record<string, unknown>>;

interface RowWithDetail {
  readonly detail: string | null;
}

/** Several rules read the same row, and a batch has hundreds of rows. */
const known = new WeakMap<RowWithDetail, Detail>();

export function readDetail(row: RowWithDetail): Detail {
  const before = known.get(row);
  if (before !== undefined) return before;
  const detail = objectFromJson(row.detail ?? '{}') ?? {};
  known.set(row, detail);
  return detail;
}
