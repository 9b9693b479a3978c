// What has gone from a database, and what has come, row by row.
import type { Rows } from './example-database.ts';

export function compareRows(before: Rows, after: Rows): { missing: Rows; added: Rows } {
  const missing: Rows = {};
  const added: Rows = {};
  for (const table of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const rest = (after[table] ?? []).map((row) => ({ row, text: JSON.stringify(row) }));
    const gone = (before[table] ?? []).filter((row) => {
      const at = rest.findIndex(({ text }) => text === JSON.stringify(row));
      if (at >= 0) rest.splice(at, 1);
      return at < 0;
    });
    if (gone.length > 0) missing[table] = gone;
    if (rest.length > 0) added[table] = rest.map(({ row }) => row);
  }
  return { missing, added };
}
