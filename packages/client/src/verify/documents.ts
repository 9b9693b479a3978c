// Reads signed documents: every member is checked, nothing is trusted.
import { NotVerifiedError } from './not-verified.ts';

export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown, what: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new NotVerifiedError(`${what} must be a JSON object`);
}

/** No document of ours is deeper. Indentation would make one that is deep and wide a thousand times larger. */
const MAX_DEPTH = 32;

/**
 * JSON as it is given out, compact or indented by two spaces, and not otherwise: so no member is there twice, and all
 * readers agree on what it says.
 */
export function readDocument(document: Uint8Array | string, what: string): Fields {
  let value: unknown;
  try {
    const text = typeof document === 'string' ? document : decoder.decode(document);
    value = JSON.parse(text);
    if (
      isDeeper(value, MAX_DEPTH) ||
      ![undefined, 2].some((it) => write(value, it) === text.trim())
    )
      value = undefined;
  } catch {
    // Answered below.
  }
  return fieldsOf(value, `${what}, exactly as it was given out,`);
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const write = (value: unknown, indent?: number) => JSON.stringify(value, null, indent);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((it) => isDeeper(it, levels - 1));
}

/** An object with these members in this order, and no others. */
export function membersOf(value: unknown, what: string, names: readonly string[]): Fields {
  const fields = fieldsOf(value, what);
  if (Object.keys(fields).join() === names.join()) return fields;
  throw new NotVerifiedError(
    `${what} must have these members and no others, in this order: ${names.join(', ')}`,
  );
}

export const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
