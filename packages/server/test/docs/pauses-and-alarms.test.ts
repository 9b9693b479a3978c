// An operator who gets an alarm must find it in docs/pauses-and-alarms.md.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ALARM_KINDS } from '../../src/domain/alarm/alarm.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(join(ROOT, 'docs/pauses-and-alarms.md'), 'utf8');

describe('docs/pauses-and-alarms.md', () => {
  it('has every kind of alarm, and no other', () => {
    const listed = [...page.matchAll(/^\| `([a-z_]+)` +\|/gm)].map(([, name]) => name);
    expect(listed).toEqual([...ALARM_KINDS]);
  });
});
