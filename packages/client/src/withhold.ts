// Messages of processors go into errors, and from there into logs. A processor must not repeat identities in them
// (OpenDSR 7.6), but nothing keeps it from doing so.

const MAX_LENGTH = 500;
/** Shorter values, such as the customer number 7, are looked for as whole words. */
const MIN_PART = 4;

/** The message on one line; undefined if it is not a text, or repeats one of the values in any common spelling. */
export function withholdRepeated(message: unknown, secrets: readonly string[]): string | undefined {
  if (typeof message !== 'string' || message.trim() === '') return undefined;
  const spellings = [message, decoded(message), unescaped(message)].map((it) => it.toLowerCase());
  const isRepeated = secrets
    .flatMap(partsOf)
    .some((part) => spellings.some((text) => contains(text, part.toLowerCase())));
  if (isRepeated) return undefined;
  const line = message.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
}

/** An email names its person by its local part too. */
function partsOf(secret: string): string[] {
  const local = secret.slice(0, Math.max(0, secret.lastIndexOf('@')));
  return [secret, local].filter((part) => part.length > 0);
}

function contains(text: string, part: string): boolean {
  if (part.length >= MIN_PART) return text.includes(part);
  return text.split(/[^\p{L}\p{N}]+/u).includes(part);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

function unescaped(text: string): string {
  return text.replace(/\\u([0-9a-fA-F]{4})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
}
