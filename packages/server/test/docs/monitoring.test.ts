// An operator who sees a metric must find it in docs/monitoring.md, with its type and its labels.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { exposedMetrics } from '../helpers/exposed-metrics.ts';

const page = readFileSync(new URL('../../../../docs/monitoring.md', import.meta.url), 'utf8');

it('docs/monitoring.md has every metric with its type and labels, and no other', () => {
  const listed = [...page.matchAll(/^\| `([a-z0-9_]+)` \| (\w+) \| ([^|]*)\|/gm)].map(
    ([, name, type, labels = '']) => [name, type, labels.trim()],
  );
  const exposed = exposedMetrics().map(({ name, type, labels }) => [
    name,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
  ]);
  expect(listed.toSorted()).toEqual(exposed.toSorted());
});
