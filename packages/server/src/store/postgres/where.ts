/** Conditions that were asked for, with their values: `?` in a condition is its value's number. */
export function createWhere() {
  const conditions: string[] = ['true'];
  const values: unknown[] = [];
  return {
    and(condition: string, value: unknown): void {
      if (value === undefined) return;
      values.push(value);
      conditions.push(condition.replaceAll('?', `$${values.length}`));
    },
    clause: () => conditions.join(' AND '),
    values,
  };
}
