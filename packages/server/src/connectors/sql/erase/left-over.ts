// Whether a stored text still contains the value that was overwritten.

/** A shorter text occurs in others by chance. */
const SHORT = 3;

/** `sent`: the new value. What the old text has in common with it is not a leftover. */
export function isLeftOf(
  before: string | null,
  after: string | null,
  sent: string | null = null,
): boolean {
  if (before === after) return true;
  if (before === null || after === null) return false;
  const old = before.trim().toLowerCase();
  return old.length >= SHORT && timesIn(after, old) > timesIn(sent ?? '', old);
}

function timesIn(text: string, part: string): number {
  return text.toLowerCase().split(part).length - 1;
}
