// The time that the law gives, by the calendar of UTC: a month for the GDPR, whose last day may be missing in the
// next one, and 45 days for the CCPA.

const DAY = 86_400_000;

export function statutoryEnd(regulation: 'gdpr' | 'ccpa', from: number): number {
  if (regulation === 'ccpa') return from + 45 * DAY;
  const start = new Date(from);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth()];
  const lastDay = new Date(Date.UTC(year, month + 2, 0)).getUTCDate();
  const day = Math.min(start.getUTCDate(), lastDay);
  return Date.UTC(year, month + 1, day) + (from % DAY);
}
