// A tab that goes to the background and comes back.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** The event reaches the window too, as a browser's own does: queries are read again because of it. */
export function showTab(page: Page, state: 'hidden' | 'visible'): Promise<unknown> {
  return page.evaluate(
    `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));`,
  );
}

/** Leaves the tab and comes back until the page has an alert: what was read less than two seconds ago is not read again. */
export async function lookUntilAlert(page: Page, text = ''): Promise<void> {
  const alerts = page.getByRole('main').getByRole('alert').filter({ hasText: text });
  await expect
    .poll(
      async () => {
        await showTab(page, 'hidden');
        await showTab(page, 'visible');
        return alerts.count();
      },
      { timeout: 30_000, interval: 1000 },
    )
    .toBeGreaterThan(0);
}
