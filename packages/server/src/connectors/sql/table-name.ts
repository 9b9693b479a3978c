/**
 * `billing.invoices`: the part before the first dot is the schema, or MySQL's database. So a name that
 * contains a dot needs its schema: `public.order.items`.
 */
export function splitTableName(table: string): { schema: string | null; name: string } {
  const point = table.indexOf('.');
  if (point === -1) return { schema: null, name: table };
  return { schema: table.slice(0, point), name: table.slice(point + 1) };
}
