// The place where the next page of a list begins, as an opaque text that a caller sends back unchanged.
import { ApiError } from '../../api-error.ts';

const MAX_LENGTH = 500;

export function writeCursor(place: readonly (string | number | null)[] | null): string | null {
  return place === null ? null : Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** `kinds`: the types of the parts of the position. */
export function readCursor(
  cursor: string | undefined,
  kinds: readonly ('number' | 'string' | 'number?')[],
): (string | number | null)[] | undefined {
  if (cursor === undefined) return undefined;
  const place = cursor.length > MAX_LENGTH ? undefined : parse(cursor);
  const fits =
    Array.isArray(place) &&
    place.length === kinds.length &&
    kinds.every((kind, at) => fitsKind(place[at], kind));
  if (fits) return place as (string | number | null)[];
  throw new ApiError(400, 'after must be the "next" of the page before');
}

function fitsKind(value: unknown, kind: string): boolean {
  if (kind === 'number?' && value === null) return true;
  if (kind === 'string') return typeof value === 'string' && !value.includes('\0');
  return Number.isSafeInteger(value);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}
