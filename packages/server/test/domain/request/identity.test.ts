import { inspect } from 'node:util';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { Identity } from '../../../src/domain/request/identity.ts';

const VALUE = 'jane@example.com';
const identity = new Identity('email', VALUE);

function logged(value: object): string {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
  log.trace({ value, nested: { value } }, 'here: %s %o %j', value, value, value);
  log.error(new Error('failed', { cause: value }));
  return lines.join('');
}

describe('an identity', () => {
  it.each<[string, (it: object) => string]>([
    ['JSON.stringify', (it) => JSON.stringify({ it, list: [it] })],
    ['util.inspect', (it) => inspect({ deep: { it } }, { depth: 9, showHidden: true })],
    ['util.inspect of its fields', (it) => inspect(it, { customInspect: false, showHidden: true })],
    ['a template string', (it) => `${it}`],
    ['concatenation', (it) => `${'is: '}${String(it)}`],
    ['an error message', (it) => new Error(`no such person: ${it}`).stack ?? ''],
    ['Object.entries and spreading', (it) => JSON.stringify([Object.entries({ ...it })])],
    ['a pino log line', logged],
  ])('does not show its value in %s', (_, show) => {
    const shown = show(identity);
    expect(shown).not.toBe('');
    expect(shown).not.toContain('jane');
    // The way of showing is able to show: a bare text does come through.
    expect(show({ toString: () => VALUE, toJSON: () => VALUE, plain: VALUE })).toContain('jane');
  });

  it('shows its type, and its value only on request', () => {
    expect(identity.type).toBe('email');
    expect(identity.reveal()).toBe(VALUE);
  });
});

describe('what an identity matches', () => {
  const key = (type: 'email' | 'controller_customer_id', value: string) =>
    new Identity(type, value).matchKey();

  it('is an email with ASCII letters folded', () => {
    expect(key('email', 'John.Doe@EXAMPLE.com')).toBe('john.doe@example.com');
  });

  it.each([
    ['the Kelvin sign', '\u212Aate@example.com', 'kate@example.com'],
    ['a capital letter with an accent', 'JOSÉ@example.com', 'josé@example.com'],
    ['an accent', 'josé@example.com', 'jose@example.com'],
    ['a composed and a decomposed accent', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
    ['a sharp s', 'weiß@example.com', 'weiss@example.com'],
    ['a dotted capital I', '\u0130@example.com', 'i@example.com'],
    ['a full-width letter', '\uff21@example.com', 'a@example.com'],
    ['a dot', 'john.doe@example.com', 'johndoe@example.com'],
    ['a wildcard', '%@example.com', '_@example.com'],
  ])('tells emails apart by %s', (_, one, other) => {
    expect(key('email', one)).not.toBe(key('email', other));
  });

  it('is a customer id byte for byte', () => {
    expect(key('controller_customer_id', 'AbC-0123')).toBe('AbC-0123');
  });
});
