// What the preview counted, table by table.
import type { TaskCard } from '../../api/request-types.ts';
import { formatNumber, t, tn } from '../../words/t.ts';

export function RowCounts({ card }: { card: TaskCard }) {
  const tables = Object.entries(card.intent ?? {});
  if (tables.length === 0) {
    if (card.previewed_rows === null) return null;
    return <p className="mb-4 font-medium">{tn('preview.rows', card.previewed_rows)}</p>;
  }
  const all = tables.reduce((sum, [, rows]) => sum + rows, 0);
  const max = Math.max(...tables.map(([, rows]) => rows), 1);
  return (
    <table className="mb-4 w-full table-fixed text-sm">
      <caption className="eyebrow pb-1.5 text-left">{t('preview.counted')}</caption>
      <tbody>
        {tables.map(([table, rows]) => (
          <tr key={table} className="border-t">
            <th scope="row" className="mono w-2/5 py-1.5 text-left font-normal wrap-anywhere">
              {table}
            </th>
            <td className="px-3">
              <div
                className="bar h-1.5 min-w-0.5 rounded-full bg-accent"
                style={{ width: `${((rows / max) * 100).toFixed(1)}%` }}
              />
            </td>
            <td className="numbers w-24 py-1.5 text-right">{formatNumber(rows)}</td>
          </tr>
        ))}
        <tr className="border-t font-semibold">
          <th scope="row" className="py-1.5 text-left">
            {t('preview.all')}
          </th>
          <td />
          <td className="numbers py-1.5 text-right">{formatNumber(all)}</td>
        </tr>
      </tbody>
    </table>
  );
}
