// An operator who gets an alarm or sees a metric must find it in docs/pauses-and-alarms.md.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALARM_KINDS } from '../../src/domain/alarm/alarm.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const TELEMETRY = join(ROOT, 'packages/server/src/telemetry');
const page = readFileSync(join(ROOT, 'docs/pauses-and-alarms.md'), 'utf8');
const METRIC = /\b(?:unwrite|process|nodejs)_[a-z0-9_]+\b/g;

describe('docs/pauses-and-alarms.md', () => {
  it('has every kind of alarm, and no other', () => {
    const listed = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name);
    expect(listed.filter((name) => !name?.startsWith('unwrite_'))).toEqual([...ALARM_KINDS]);
  });

  it('has every metric, and no other', () => {
    const source = globSync('*.ts', { cwd: TELEMETRY })
      .map((file) => readFileSync(join(TELEMETRY, file), 'utf8'))
      .join('\n');
    const named = new Set(
      [...source.matchAll(/'((?:unwrite|process|nodejs)_[a-z0-9_]+)'/g)].map(([, it]) => it),
    );
    const listed = new Set(page.match(METRIC));
    expect([...listed].toSorted()).toEqual([...named].toSorted());
  });
});
