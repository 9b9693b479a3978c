// The keys j and k move through a list and Enter opens a row, as in other tools for people who decide a lot.
import { useEffect, useRef, useState } from 'react';
import { isTyping } from './keys.ts';

interface RowActions {
  readonly keyOf: (index: number) => string;
  readonly show: (index: number) => void;
  readonly open: (index: number) => void;
}

/**
 * Returns the index of the current row; undefined until a key was pressed. The row stays current when others arrive
 * above it; when it disappears, the row that takes its place becomes current.
 */
export function useRowKeys(count: number, actions: RowActions): number | undefined {
  const [chosen, setChosen] = useState<{ readonly key: string; readonly index: number }>();
  const active = chosen && placeOf(chosen, count, actions.keyOf);
  const latest = useRef({ count, actions, active });
  latest.current = { count, actions, active };

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (isTyping(event) || document.querySelector('[role="dialog"]') !== null) return;
      const now = latest.current;
      if (event.key === 'Enter' && now.active !== undefined) {
        if (document.activeElement?.closest('a, button') === null) now.actions.open(now.active);
        return;
      }
      const step = { j: 1, k: -1 }[event.key];
      if (step === undefined || now.count === 0) return;
      const from = now.active ?? (step > 0 ? -1 : now.count);
      const next = Math.min(now.count - 1, Math.max(0, from + step));
      setChosen({ key: now.actions.keyOf(next), index: next });
      now.actions.show(next);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return active;
}

function placeOf(
  { key, index }: { readonly key: string; readonly index: number },
  count: number,
  keyOf: (index: number) => string,
): number | undefined {
  if (index < count && keyOf(index) === key) return index;
  for (let at = 0; at < count; at++) if (keyOf(at) === key) return at;
  return count === 0 ? undefined : Math.min(index, count - 1);
}
