// The server's clock, which deadlines are counted by: the clock of the person's machine may be wrong.

/** Answers give the time in whole seconds and take a while to arrive: smaller differences are ignored. */
const TOLERANCE_MS = 3000;

let aheadMs = 0;
const listeners = new Set<() => void>();

export function serverNow(): number {
  return Date.now() + aheadMs;
}

/** Calls the listener when the clock is set. */
export function onClockSet(listener: () => void): void {
  listeners.add(listener);
}

/** Sets the clock by the header Date of an answer. */
export function setClock(date: string | null): void {
  const difference = Date.parse(date ?? '') - Date.now();
  if (Number.isNaN(difference) || Math.abs(difference - aheadMs) < TOLERANCE_MS) return;
  aheadMs = Math.abs(difference) < TOLERANCE_MS ? 0 : difference;
  for (const listener of listeners) listener();
}
