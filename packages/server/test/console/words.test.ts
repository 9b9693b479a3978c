// The console knows everything that the server names.
import { readFileSync } from 'node:fs';
import { IDENTITY_TYPES } from '@unwrite/protocol';
import { expect, it } from 'vitest';
import { CONNECTORS } from '../../src/config/targets/targets-schema.ts';
import { ALARM_KINDS } from '../../src/domain/alarm/alarm.ts';
import { AUDIT_ACTIONS } from '../../src/domain/audit/audit-row.ts';
import { SQL_CONNECTORS } from '../../src/domain/target/target.ts';
import { TASK_HOLD_REASONS } from '../../src/domain/task/task.ts';

const FILE = new URL('../../../console/src/words/en.json', import.meta.url);
const words = new Set(Object.keys(JSON.parse(readFileSync(FILE, 'utf8'))));

it.each([
  ['action', AUDIT_ACTIONS],
  ['alarm', ALARM_KINDS],
  ['alarm.do', ALARM_KINDS],
  ['connector', CONNECTORS],
  ['identity', IDENTITY_TYPES],
  ['reason', TASK_HOLD_REASONS],
] as const)('the console has words for every %s', (prefix, names) => {
  expect(names.filter((name: string) => !words.has(`${prefix}.${name}`))).toEqual([]);
});

it('the console offers to suggest a plan for every database', () => {
  const file = new URL('../../../console/src/pages/targets/target-actions.tsx', import.meta.url);
  const [, list = ''] = /DATABASES = \[([^\]]*)\]/.exec(readFileSync(file, 'utf8')) ?? [];
  expect(list.split(',').map((name) => name.trim().slice(1, -1))).toEqual([...SQL_CONNECTORS]);
});
