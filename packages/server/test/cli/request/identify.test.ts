import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { unwrite, unwriteReading, json, submit, addRows, rowsOf, audited } = shop;
const done = randomUUID();

beforeAll(async () => {
  await submit('acme', [['email', 'gone@example.com']], done);
  await shop.untilTask(done, 'acme', 'erased');
});

async function nobody(): Promise<string> {
  const id = await submit('acme', []);
  await shop.untilTask(id, 'acme', 'held');
  return id;
}

describe('unwrite request identify', () => {
  it('reads who is meant from standard input, and erases them', async () => {
    addRows('acme', 'jane@example.com', 1);
    addRows('acme', 'jane@work.example', 1);
    const id = await nobody();
    const { exitCode, stdout, stderr } = await unwriteReading(
      'jane@example.com\r\nJane@Example.com\n\njane@work.example\n',
      'request',
      'identify',
      '--email',
      '-',
      id.toUpperCase(),
      '--as',
      'olga',
    );
    expect([exitCode, stdout, stderr]).toEqual([0, `Added 2 identities to request ${id}.\n`, '']);
    await shop.untilTask(id, 'acme', 'erased');
    expect([rowsOf('acme', 'jane@example.com'), rowsOf('acme', 'jane@work.example')]).toEqual([
      0, 0,
    ]);
    expect(await audited(id, 'acme', 'request.identified')).toEqual([
      {
        actor: 'operator:olga',
        detail: { identities: expect.stringMatching(/^[0-9a-f]{32}$/), again: [] },
      },
    ]);
    expect(await json('request', 'show', id)).toMatchObject({ identities: 2 });
  });

  it('accepts several, before or after the id, and prints JSON for scripts', async () => {
    addRows('acme', 'number@example.com', 1, 'C-17');
    const id = await nobody();
    const who = ['--email', 'a@example.com', '--email', 'b@example.com', '--customer-id', 'C-17'];
    expect(await json('request', 'identify', ...who, id)).toEqual({
      subject_request_id: id,
      identities: 3,
    });
    await shop.untilTask(id, 'acme', 'erased');
    expect(rowsOf('acme', 'number@example.com')).toBe(0);
  });

  it('gives erased tasks another run, and leaves tasks that wait for an operator', async () => {
    const id = await submit('globex', [['email', 'first@example.com']]);
    await shop.untilTasks(id, 'globex', 'held', 'erased');
    await json('request', 'identify', id, '--email', 'second@example.com');
    const tasks = await shop.untilTasks(id, 'globex', 'held', 'erased', 'erased');
    expect(tasks).toMatchObject([{ run: 1 }, { run: 1 }, { run: 2 }]);
  });

  it.each<[string, string[], string, number, RegExp]>([
    ['nobody', [], '', 2, /name the person: give --email or --customer-id/],
    ['an empty input', ['--email', '-'], '\n', 2, /standard input is empty/],
    [
      'an input for both',
      ['--email', '-', '--customer-id', '-'],
      'secret@example.com',
      2,
      /standard input is read once/,
    ],
    ['more than a request may have', ['--email', '-'], 'secret\n'.repeat(501), 2, /at most 500/],
    ['white space', ['--email', '-'], ' secret@example.com', 2, /no white space at either end/],
    ['too long a value', ['--customer-id', '-'], 'secret'.repeat(200), 2, /1 to 1024 characters/],
    [
      'an unknown controller',
      ['--email', '-', '--controller', 'x'],
      'secret',
      1,
      /no controller x/,
    ],
    ['a completed request', ['--email', '-'], 'secret@example.com', 1, /is completed and cannot/],
  ])('refuses %s, without showing it', async (_, args, input, code, message) => {
    const { exitCode, stdout, stderr } = await unwriteReading(
      input,
      'request',
      'identify',
      done,
      ...args,
    );
    expect(stderr).toMatch(message);
    expect([exitCode, stdout]).toEqual([code, '']);
    expect(stderr).not.toContain('secret');
  });

  it('refuses an id that several controllers use, and one that none does', async () => {
    const id = await nobody();
    await submit('umbrella', [], id);
    const who = ['--customer-id', 'c-1'];
    const shared = await unwrite('request', 'identify', id, ...who);
    expect([shared.exitCode, shared.stderr]).toEqual([
      1,
      'unwrite: several controllers use this id (acme, umbrella); add --controller\n',
    ]);
    const none = await unwrite('request', 'identify', randomUUID(), ...who);
    expect(none.exitCode).toBe(1);
    expect(none.stderr).toMatch(/there is no request/);
  });
});

describe('unwrite preview', () => {
  it('reads who is meant from standard input too', async () => {
    addRows('acme', 'look@example.com', 2);
    const { exitCode, stdout } = await unwriteReading(
      'look@example.com\n',
      'preview',
      '--controller',
      'acme',
      '--email',
      '-',
    );
    expect(stdout).toMatch(/^shop \(sqlite\): would be erased\n {2}delete +customers +2 rows\n/);
    expect(exitCode).toBe(0);
    expect(rowsOf('acme', 'look@example.com')).toBe(2);
  });
});
