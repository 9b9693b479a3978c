// Light, dark, or the system's choice. The only thing that is stored in this browser.
import { useSyncExternalStore } from 'react';

export type ThemeChoice = 'system' | 'light' | 'dark';

const STORED = 'unwrite.theme';
const dark = matchMedia('(prefers-color-scheme: dark)');
const listeners = new Set<() => void>();

function readChoice(): ThemeChoice {
  try {
    const stored = localStorage.getItem(STORED);
    return stored === 'light' || stored === 'dark' ? stored : 'system';
  } catch {
    return 'system';
  }
}

let choice = readChoice();

export function applyTheme(): void {
  const isDark = choice === 'dark' || (choice === 'system' && dark.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  for (const listener of listeners) listener();
}

export function chooseTheme(next: ThemeChoice): void {
  choice = next;
  try {
    if (next === 'system') localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, next);
  } catch {
    // Without storage the choice lasts until the page is closed.
  }
  applyTheme();
}

dark.addEventListener('change', applyTheme);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore(subscribe, () => choice);
}

/** The current theme, for drawing on a canvas, which cannot use CSS variables. */
export function useTheme(): string {
  return useSyncExternalStore(subscribe, () => document.documentElement.dataset.theme ?? 'light');
}
