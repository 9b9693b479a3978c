// The console has words for everything that the server names.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ALARM_KINDS } from '../../src/domain/alarm/alarm.ts';
import { AUDIT_ACTIONS } from '../../src/domain/audit/audit-row.ts';
import { TASK_HOLD_REASONS } from '../../src/domain/task/task.ts';

const FILE = new URL('../../../console/src/words/en.json', import.meta.url);
const words = new Set(Object.keys(JSON.parse(readFileSync(FILE, 'utf8'))));

it.each([
  ['action', AUDIT_ACTIONS],
  ['alarm', ALARM_KINDS],
  ['alarm.do', ALARM_KINDS],
  ['reason', TASK_HOLD_REASONS],
] as const)('the console has words for every %s', (prefix, names) => {
  expect(names.filter((name) => !words.has(`${prefix}.${name}`))).toEqual([]);
});
