// Alerts and the dashboard ask for metrics that exist, and each alert is explained.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { exposedMetrics } from '../helpers/exposed-metrics.ts';

const read = (path: string) =>
  readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { readonly runbook_url: string };
    }[];
  }[];
}
const { groups } = parse(read('deploy/prometheus/alerts.yml')) as Rules;
const rules = groups.flatMap((group) => group.rules);
const tests = read('deploy/prometheus/alerts.test.yml');
const dashboard = read('deploy/grafana/unwrite.json');

const METRIC = /\b(?:unwrite|process|nodejs)_[a-z0-9_]+\b/g;
/** With the labels that may be asked of each, and those that Prometheus adds. */
const KNOWN = new Map(
  exposedMetrics().flatMap(({ name, type, labels }): [string, readonly string[]][] =>
    type === 'histogram'
      ? [
          [`${name}_bucket`, [...labels, 'le']],
          [`${name}_sum`, labels],
          [`${name}_count`, labels],
        ]
      : [[name, labels]],
  ),
);

function unknownIn(text: string): string[] {
  const selected = [...text.matchAll(/\b((?:unwrite|process|nodejs)_[a-z0-9_]+)\{([^}]*)\}/g)];
  const labels = selected.flatMap(([, name = '', selector = '']) =>
    [...selector.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)]
      .filter(([, label = '']) => ![...(KNOWN.get(name) ?? []), 'instance', 'job'].includes(label))
      .map(([, label]) => `${name}{${label}}`),
  );
  return [...(text.match(METRIC) ?? []).filter((name) => !KNOWN.has(name)), ...labels];
}

const expressionsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, inner]) =>
        (key === 'expr' || key === 'query') && typeof inner === 'string'
          ? [inner]
          : expressionsIn(inner),
      );

it('the search finds a metric and a label that do not exist', () => {
  expect(unknownIn('rate(unwrite_nothing_total[5m]) > unwrite_paused{who="olga"}')).toEqual([
    'unwrite_nothing_total',
    'unwrite_paused{who}',
  ]);
});

describe('the dashboard', () => {
  it('asks only for metrics and labels that there are', () => {
    const expressions = expressionsIn(JSON.parse(dashboard));
    expect(expressions.length).toBeGreaterThan(30);
    expect(expressions.flatMap(unknownIn)).toEqual([]);
  });
});

describe('the alerts', () => {
  it('ask only for metrics and labels that there are, and so does their test', () => {
    expect(rules.length).toBeGreaterThan(10);
    expect([...rules.map(({ expr }) => expr), tests].flatMap(unknownIn)).toEqual([]);
  });

  it('each have a section in the runbook, which says what to look at and what to do, and a test', () => {
    const runbook = read('docs/runbook.md');
    const sections = [...runbook.matchAll(/^## (\w+)\n([^#]*)/gm)];
    expect(sections.map(([, name]) => name)).toEqual(rules.map(({ alert }) => alert));
    for (const [, , text] of sections)
      expect(text?.match(/\*\*(.+?):\*\*/g)).toEqual(['**Means:**', '**Look at:**', '**Do:**']);
    for (const { alert, annotations } of rules) {
      expect(annotations.runbook_url).toBe(`docs/runbook.md#${alert.toLowerCase()}`);
      expect(tests).toMatch(new RegExp(`alertname: ${alert}\\n +exp_alerts:\\n`));
    }
  });
});
