/** Repeats the last value, so that there are few different statements and each is prepared once. */
export function padToPowerOfTwo<T>(values: readonly T[]): readonly T[] {
  const last = values.at(-1);
  if (last === undefined) return values;
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array<T>(size - values.length).fill(last)];
}
