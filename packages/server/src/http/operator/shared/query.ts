// Query parameters that lists share: page size, position, and times.
import { DAY_MS } from '../../../domain/time-units.ts';
import { InvalidInput } from '../../../operator/failures.ts';

export const MAX_PAGE = 200;
const DEFAULT_PAGE = 50;

export const pageQuery = {
  limit: {
    type: 'integer',
    minimum: 1,
    maximum: MAX_PAGE,
    description: 'Items a page; 50 if left out',
  },
  after: { type: 'string', maxLength: 500, description: 'The "next" of the page before' },
} as const;

export const controllerQuery = {
  controller: { type: 'string', maxLength: 200, description: 'Only those of this controller' },
} as const;

export function limitOf({ limit = DEFAULT_PAGE }: { readonly limit?: number }): number {
  return limit;
}

const DAY = /^\d{4}-\d\d-\d\d$/;

/** A time, or a day, which means its midnight in UTC. */
export function timeOf(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isTime = DAY.test(text) || /^\d{4}-\d\d-\d\dT\S+(Z|[+-]\d\d:\d\d)$/.test(text);
  const time = isTime && isDay(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) {
    throw new InvalidInput(
      field,
      'must be a day or a time, such as 2026-11-01 or 2026-11-01T12:00:00Z',
    );
  }
  return time;
}

/** Date.parse takes 31 February for 3 March. */
function isDay(text: string): boolean {
  const time = Date.parse(text);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** The same for the exclusive end of a range: a day is included as a whole. */
export function endOf(field: string, text: string | undefined): number | undefined {
  const time = timeOf(field, text);
  return time !== undefined && text !== undefined && DAY.test(text) ? time + DAY_MS : time;
}
