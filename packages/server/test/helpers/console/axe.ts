// The rules of WCAG 2.2 AA and good practice, checked by axe in the page itself.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What fades in has too little contrast until it is there. Some animations never end. */
const SETTLED = `Promise.allSettled(document.getAnimations()
  .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  .map((one) => one.finished))`;

/** One line for each place that breaks a rule. */
export async function axeViolations(page: Page): Promise<string[]> {
  // By the debugger's way in: the page's own policy would refuse a script of ours.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: SOURCE });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `${SETTLED}.then(() => axe.run(document, { resultTypes: ['violations'] })).then(({ violations }) => JSON.stringify(
      violations.flatMap((it) => it.nodes.map((node) => it.id + ': ' + node.target.join(' ') + ' ' + node.failureSummary))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(String(result.value)) as string[];
}
