// Finds unknown names: "cancelation_window is not a setting; did you mean cancellation_window?"

export function unknownNames(
  given: Record<string, unknown>,
  known: readonly string[],
  prefix = '',
): string[] {
  return Object.keys(given)
    .filter((name) => !known.includes(name))
    .map((name) => `${prefix}${name} is not a setting${didYouMean(name, known)}`);
}

/** Compared without the prefix: all variables share it, so it says nothing about similarity. */
export function didYouMean(name: string, known: readonly string[], prefix = ''): string {
  const bare = withoutPrefix(name, prefix);
  const [closest] = known
    .map((candidate) => ({
      candidate,
      distance: editDistance(bare, withoutPrefix(candidate, prefix)),
    }))
    .sort((a, b) => a.distance - b.distance);
  const near = closest !== undefined && closest.distance <= Math.max(2, bare.length / 3);
  return near ? `; did you mean ${closest.candidate}?` : '';
}

function withoutPrefix(name: string, prefix: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
