// A round-robin queue: ten thousand items of one controller do not delay a single item of another. Items of one
// controller keep their order.

export interface FairQueue<T> {
  readonly length: number;
  push(share: string, item: T): void;
  /** Takes at most this many items; if not all of them fit, the same number from each controller. */
  take(max: number): T[];
  /** Whether this controller already has at least its equal share of a queue of this length. */
  hasFairShare(share: string, of: number): boolean;
}

interface Line<T> {
  items: T[];
  /** Index of the next item; those before it have been taken. */
  head: number;
}

export function createFairQueue<T>(): FairQueue<T> {
  /** By controller, only those with items, in round-robin order. */
  const lines = new Map<string, Line<T>>();
  let length = 0;

  function takeFrom(share: string, line: Line<T>, count: number): T[] {
    const end = Math.min(line.items.length, line.head + count);
    const taken = line.items.slice(line.head, end);
    // The controller moves to the end of the round, or is removed if it has no items left.
    lines.delete(share);
    if (end < line.items.length) {
      line.head = end;
      if (line.head > 1000 && line.head * 2 > line.items.length) {
        line.items = line.items.slice(line.head);
        line.head = 0;
      }
      lines.set(share, line);
    }
    return taken;
  }

  function takeAll(): T[] {
    const all = [...lines.values()];
    const [only] = all;
    lines.clear();
    length = 0;
    if (all.length === 1 && only?.head === 0) return only.items;
    return all.flatMap(({ items, head }) => items.slice(head));
  }

  return {
    get length() {
      return length;
    },
    push(share, item) {
      length++;
      const line = lines.get(share);
      if (line === undefined) lines.set(share, { items: [item], head: 0 });
      else line.items.push(item);
    },
    take(max) {
      if (length <= max) return takeAll();
      const taken: T[] = [];
      while (taken.length < max) {
        const part = Math.max(1, Math.floor((max - taken.length) / lines.size));
        // A copy, because a controller that is put back at the end was already served in this round.
        for (const [share, line] of [...lines]) {
          if (taken.length >= max) break;
          taken.push(...takeFrom(share, line, Math.min(part, max - taken.length)));
        }
      }
      length -= taken.length;
      return taken;
    },
    hasFairShare(share, of) {
      if (lines.size <= 1 && (lines.size === 0 || lines.has(share))) return true;
      const line = lines.get(share);
      return line !== undefined && line.items.length - line.head >= of / lines.size;
    },
  };
}
