// The search that `/` opens, the help that `?` opens, and the keys that open pages.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { HelpDialog } from './help-dialog.tsx';
import { isTyping } from './keys.ts';
import { PLACES } from './places.ts';
import { SearchDialog } from './search-dialog.tsx';

type Shown = 'search' | 'help' | undefined;

let shown: Shown;
const listeners = new Set<() => void>();

function show(next: Shown): void {
  shown = next;
  for (const listener of listeners) listener();
}

export function openSearch(): void {
  show('search');
}

export function openHelp(): void {
  show('help');
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Time for the second key after `g`. */
const CHORD_MS = 1200;

export function SearchAndKeys() {
  const navigate = useNavigate();
  const now = useSyncExternalStore(subscribe, () => shown);
  useEffect(() => {
    let goneAt = 0;
    function onKey(event: KeyboardEvent) {
      if (isTyping(event) || document.querySelector('[role="dialog"]') !== null) return;
      if (event.key === '/') {
        event.preventDefault();
        openSearch();
      } else if (event.key === '?') {
        openHelp();
      } else if (event.key === 'g') {
        goneAt = event.timeStamp;
        return;
      } else if (event.timeStamp - goneAt < CHORD_MS) {
        const place = PLACES.find(({ key }) => key === event.key);
        if (place !== undefined) void navigate({ to: place.to });
      }
      goneAt = Number.NEGATIVE_INFINITY;
    }
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [navigate]);
  return (
    <>
      <SearchDialog open={now === 'search'} onClose={() => show(undefined)} />
      <HelpDialog open={now === 'help'} onClose={() => show(undefined)} />
    </>
  );
}
