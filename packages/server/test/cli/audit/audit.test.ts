import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { DEFAULT_STORE } from '../../helpers/stores/test-store.ts';
import { runHere } from '../run-here.ts';
import { useShop } from '../use-shop.ts';

const { unwrite, submit, addRows, untilTasks, folder, options, server, inStore } = useShop();
const id = randomUUID();
const file = (name: string) => `${folder()}/${name}`;

beforeAll(async () => {
  addRows('acme', 'jane@example.com', 1);
  await submit('acme', [['email', 'jane@example.com']], id);
  await untilTasks(id, 'acme', 'erased');
  await untilSigned();
  await untilSealed();
});

/** By the server: "unwrite receipt" would sign it too, and seal a head that the server does not log. */
async function untilSigned(): Promise<void> {
  const signed = ['audit', 'list', '--request', id, '--action', 'receipt.signed', '--json'];
  await vi.waitFor(
    async () => expect(JSON.parse((await unwrite(...signed)).stdout)).toHaveLength(1),
    { timeout: 30_000, interval: 200 },
  );
}

/** Until a head covers everything that was written. */
async function untilSealed(): Promise<void> {
  await vi.waitFor(
    async () => {
      const { stdout } = await unwrite('audit', 'verify', '--json');
      expect(JSON.parse(stdout)).toMatchObject({ ok: true, unsealed_rows: 0 });
    },
    { timeout: 15_000, interval: 200 },
  );
}

describe('unwrite audit list', () => {
  it('lists rows, newest first, without identities', async () => {
    const { exitCode, stdout } = await unwrite(
      'audit',
      'list',
      '--request',
      id.toUpperCase(),
      '--json',
    );
    expect(exitCode).toBe(0);
    const rows = JSON.parse(stdout);
    expect(rows.map(({ action }: { action: string }) => action)).toEqual([
      'receipt.signed',
      'request.completed',
      'task.erased',
      'request.started',
      'request.created',
    ]);
    expect(rows[2]).toMatchObject({
      actor: 'system',
      controller_id: 'acme',
      detail: { target: 'shop' },
    });
    expect(stdout).not.toContain('jane');
  });

  it('filters by controller, actor, action and time, and says when there may be more', async () => {
    const actions = async (...args: string[]) =>
      JSON.parse((await unwrite('audit', 'list', ...args, '--json')).stdout).length;
    expect(await actions('--controller', 'umbrella', '--action', 'request.created')).toBe(0);
    expect(await actions('--controller', 'acme', '--action', 'request.created')).toBe(1);
    expect(await actions('--actor', 'nobody')).toBe(0);
    expect(await actions('--until', '2020-01-01')).toBe(0);
    expect(await actions('--since', '2020-01-01', '--limit', '2')).toBe(2);
    const { stdout, stderr } = await unwrite('audit', 'list', '--limit', '2');
    expect(stdout).toMatch(/^NO +TIME +ACTOR +ACTION +CONTROLLER_ID +SUBJECT_REQUEST_ID +DETAIL\n/);
    expect(stderr).toContain('There may be more');
  });

  it.each<[string, string[], number]>([
    ['a controller that is none', ['--controller', 'nobody'], 1],
    ['a time that is none', ['--since', 'yesterday'], 2],
  ])('refuses %s', async (_, args, code) => {
    expect((await unwrite('audit', 'list', ...args)).exitCode).toBe(code);
  });
});

describe('unwrite audit export', () => {
  it('can be verified elsewhere, with the key', async () => {
    const { stdout, exitCode } = await unwrite('audit', 'export');
    expect(exitCode).toBe(0);
    expect(stdout).not.toContain('jane');
    writeFileSync(file('export.jsonl'), stdout);
    writeFileSync(file('key.pem'), (await unwrite('audit', 'key')).stdout);
    const offline = ['--key', file('key.pem'), '--data-dir', file('nothing')];
    const verify = (name: string) => runHere(['audit', 'verify', '--file', file(name), ...offline]);
    const good = await verify('export.jsonl');
    expect([good.exitCode, good.stdout]).toEqual([
      0,
      expect.stringMatching(/is unchanged since it was sealed: \d+ rows/),
    ]);

    writeFileSync(file('bad.jsonl'), stdout.replace('"request.completed"', '"request.cancelled"'));
    const bad = await verify('bad.jsonl');
    process.exitCode = 0;
    expect([bad.exitCode, bad.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^unwrite: row \d+ was changed\nunwrite: lines of the export were changed/,
      ),
    ]);

    const none = await verify('key.pem');
    expect([none.exitCode, none.stderr]).toEqual([
      1,
      expect.stringContaining('cannot be verified'),
    ]);
  });
});

it('unwrite audit head prints the newest head, or those from one to another', async () => {
  const head = async (...args: string[]) =>
    JSON.parse((await unwrite('audit', 'head', ...args, '--json')).stdout);
  const { head_no } = await head();
  expect(await head('--from', '1', '--to', String(head_no))).toMatchObject({
    from: { head_no: 1 },
    to: { head_no },
  });
});

describe('unwrite audit verify', () => {
  it('says how much is covered and which head is the last, as the log of the server does', async () => {
    const { exitCode, stdout } = await unwrite('audit', 'verify');
    expect(exitCode).toBe(0);
    const [, headNo, hash] = /Last head: (\d+):([0-9a-f]{64})\n/.exec(stdout) ?? [];
    // The server says it, and writes it down, when the head is in the store: the command may see it there first.
    const written = () => JSON.parse(readFileSync(`${options().dataDir}/audit-head.json`, 'utf8'));
    const patience = { timeout: 15_000 };
    await expect
      .poll(() => server().output(), patience)
      .toContain(`"head_no":${headNo},"hash":"${hash}"`);
    await expect.poll(written, patience).toMatchObject({ head_no: Number(headNo), hash });
    const known = await unwrite('audit', 'verify', '--head', `${headNo}:${hash}`);
    expect(known.exitCode).toBe(0);
    const other = await unwrite('audit', 'verify', '--head', `${headNo}:${'0'.repeat(64)}`);
    expect([other.exitCode, other.stderr]).toEqual([
      1,
      expect.stringContaining('differs from the recorded one'),
    ]);
    const never = await unwrite('audit', 'verify', '--head', `999999:${hash}`, '--json');
    expect(never.exitCode).toBe(1);
    expect(JSON.parse(never.stdout)).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('head 999999')],
    });
  });

  it('refuses a head that is not well formed', async () => {
    const { exitCode, stderr } = await unwrite('audit', 'verify', '--head', 'abc');
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining('64 hexadecimal digits')]);
  });

  it('finds, next to the running server, what SQL did to the file', async () => {
    const [row] = await inStore('SELECT actor FROM audit_rows WHERE audit_no = 2');
    await inStore("UPDATE audit_rows SET actor = 'operator:eve' WHERE audit_no = 2");
    const { exitCode, stdout, stderr } = await unwrite('audit', 'verify');
    expect([exitCode, stdout, stderr]).toEqual([1, '', 'unwrite: row 2 was changed\n']);
    await inStore(`UPDATE audit_rows SET actor = '${row?.actor}' WHERE audit_no = 2`);
  });

  it('finds a cut tail with only the file next to the store', async () => {
    const writtenDown = () =>
      JSON.parse(readFileSync(`${options().dataDir}/audit-head.json`, 'utf8'));
    await unwrite('seen', '--controller', 'acme', '--email', 'nobody@example.com');
    await expect.poll(() => writtenDown().head_no, { timeout: 15_000 }).toBeGreaterThan(1);
    await server().kill('SIGTERM');
    const before = writtenDown();
    await inStore(
      'DELETE FROM audit_rows WHERE audit_no > (SELECT last_audit_no FROM audit_heads WHERE head_no = 1)',
    );
    await inStore('DELETE FROM audit_heads WHERE head_no > 1');
    const { exitCode, stderr } = await unwrite('audit', 'verify');
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      `head ${before.head_no} was recorded and is missing: the log was cut after head 1`,
    );
    rmSync(`${options().dataDir}/audit-head.json`);
    expect((await unwrite('audit', 'verify')).stderr).not.toContain('written down');
  });

  it.skipIf(DEFAULT_STORE !== 'sqlite')(
    'reports a number that is larger than Unwrite ever writes',
    async () => {
      await inStore(
        "INSERT INTO audit_rows (time, actor, action) VALUES (1152921504606846976, 'eve', 'a')",
      );
      const { exitCode, stderr } = await unwrite('audit', 'verify');
      expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/never writes|was removed/)]);
    },
  );
});
