/** Milliseconds, from a number of seconds or a date; undefined if the header has neither. */
export function retryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000;
  const time = Date.parse(header);
  return Number.isNaN(time) ? undefined : Math.max(0, time - now);
}
