// Whether the page is being printed: lists then have all their rows, not only the visible ones.
import { useSyncExternalStore } from 'react';

let isPrinting = false;

function subscribe(onChange: () => void): () => void {
  const print = window.matchMedia('print');
  const set = (value: boolean) => {
    isPrinting = value;
    onChange();
  };
  const before = () => set(true);
  const after = () => set(false);
  const changed = () => set(print.matches);
  window.addEventListener('beforeprint', before);
  window.addEventListener('afterprint', after);
  print.addEventListener('change', changed);
  return () => {
    window.removeEventListener('beforeprint', before);
    window.removeEventListener('afterprint', after);
    print.removeEventListener('change', changed);
  };
}

export function usePrinting(): boolean {
  return useSyncExternalStore(subscribe, () => isPrinting);
}
