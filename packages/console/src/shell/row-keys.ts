// j and k move through a list, Enter opens, as in other tools for people who decide a lot.
import { useEffect, useRef, useState } from 'react';
import { isTyping } from './keys.ts';

interface RowActions {
  readonly show: (index: number) => void;
  readonly open: (index: number) => void;
}

/** Answers which row is the present one; none until a key was pressed. */
export function useRowKeys(count: number, actions: RowActions): number | undefined {
  const [active, setActive] = useState<number>();
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
      setActive(next);
      now.actions.show(next);
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return active;
}
