// Shows in a corner, for a few seconds, what was just done. Screen readers read it out.
import { useSyncExternalStore } from 'react';
import { t } from '../words/t.ts';
import { IconButton } from './button.tsx';
import { Mark } from './status.tsx';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly bad: boolean;
}

const SHOWN_MS = 6000;
let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

export function say(text: string, { bad = false } = {}): void {
  lastId += 1;
  const id = lastId;
  change([...toasts.slice(-3), { id, text, bad }]);
  setTimeout(() => dismiss(id), bad ? 2 * SHOWN_MS : SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed right-4 bottom-20 z-[60] flex w-[min(24rem,calc(100vw-2rem))] flex-col gap-2 md:bottom-4"
    >
      {shown.map(({ id, text, bad }) => (
        <div
          key={id}
          className="card pointer-events-auto flex animate-[rise_160ms_ease-out] items-start gap-2.5 py-2.5 pr-2 pl-3.5 shadow-float"
        >
          <span className="pt-1">
            <Mark tone={bad ? 'bad' : 'good'} shape={bad ? 'triangle' : 'check'} />
          </span>
          <p className="min-w-0 flex-1 pt-px break-words">{text}</p>
          <IconButton icon="close" label={t('dismiss')} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
