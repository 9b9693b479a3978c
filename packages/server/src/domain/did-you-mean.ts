// The name that somebody probably meant.
/** Compared without the prefix: all variables share it, so it says nothing about similarity. */
export function didYouMean(name: string, known: readonly string[], prefix = ''): string {
  const near = nearestName(name, known, prefix);
  return near === undefined ? '' : `; did you mean ${near}?`;
}

/** Undefined if none is similar. */
export function nearestName(
  name: string,
  known: Iterable<string>,
  prefix = '',
): string | undefined {
  const bare = withoutPrefix(name, prefix);
  const [closest] = [...known]
    .map((candidate) => ({
      candidate,
      distance: editDistance(bare, withoutPrefix(candidate, prefix)),
    }))
    .sort((a, b) => a.distance - b.distance);
  // Of a short name, something must be left that is alike.
  const limit = Math.min(Math.max(2, bare.length / 3), bare.length - 2);
  return closest !== undefined && closest.distance <= limit ? closest.candidate : undefined;
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
