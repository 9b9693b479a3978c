/**
 * `billing.invoices`: the part before the first point is the schema, or MySQL's database. So a name with a point in it
 * needs its schema: `public.order.items`.
 */
export function splitTableName(table: string): { schema: string | null; name: string } {
  const point = table.indexOf('.');
  if (point === -1) return { schema: null, name: table };
  return { schema: table.slice(0, point), name: table.slice(point + 1) };
}
