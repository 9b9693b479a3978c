// An export from a real installation: what is in it, and that one command verifies all of it without the installation.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { unzipInto } from '../../helpers/unzip.ts';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { json, unwrite } = shop;
const ids = new Map<string, string>();
let folder = '';
let file = '';

/** Unpacked anew, so that a test may change it. */
function unpacked(name: string, archive = file) {
  const to = `${folder}/${name}`;
  rmSync(to, { recursive: true, force: true });
  mkdirSync(to);
  return { to, files: unzipInto(to, readFileSync(archive)) };
}
const verify = (to: string) => unwrite('receipt', 'verify', to, '--key', `${to}/keys.json`);
const rowsOf = (bytes: Buffer | undefined) => (bytes?.toString() ?? '').trimEnd().split('\r\n');

beforeAll(async () => {
  folder = shop.folder();
  file = `${folder}/acme.zip`;
  shop.addRows('acme', 'erased@example.com', 2);
  shop.addRows('acme', 'many@example.com', 4);
  for (const name of ['erased', 'nobody', 'many'])
    ids.set(name, await shop.submit('acme', [['email', `${name}@example.com`]]));
  await shop.submit('globex', [['email', 'other@example.com']]);
  await shop.untilTask(ids.get('many') ?? '', 'acme', 'held');
  for (const name of ['erased', 'nobody'])
    await shop.untilTask(ids.get(name) ?? '', 'acme', 'erased');
  await unwrite('export', '--controller', 'acme', '--output', file, '--as', 'olga');
});

describe('unwrite export', () => {
  it('has the receipts of one controller, a list of its requests, and a page with links', async () => {
    const { files } = unpacked('seen');
    const receipts = ['erased', 'nobody'].map((name) => `receipts/${ids.get(name)}`);
    expect([...files.keys()].sort()).toEqual(
      [
        'SHA256SUMS',
        'export.json',
        'index.html',
        'keys.json',
        'requests.csv',
        ...receipts.flatMap((name) => [`${name}.html`, `${name}.json`]),
      ].sort(),
    );
    const [head, ...rows] = rowsOf(files.get('requests.csv'));
    expect(head).toMatch(/^subject_request_id,regulation,status,outcome,/);
    const cells = rows.map((row) => row.split(','));
    expect(cells.map(([id, , status, outcome]) => [id, status, outcome])).toEqual([
      [ids.get('many'), 'in_progress', 'still open'],
      [ids.get('nobody'), 'completed', 'found nowhere'],
      [ids.get('erased'), 'completed', 'erased'],
    ]);
    const page = files.get('index.html')?.toString() ?? '';
    expect(page).toContain(`<a href="receipts/${ids.get('erased')}.html">page</a>`);
    expect(page).toContain('1 still open, 1 found nowhere, 1 erased.');
    expect(page).not.toContain('<script');
    const all = Buffer.concat([...files.values()]).toString();
    expect(all).not.toMatch(/@example\.com|olga|customers/);
  });

  it('verifies with one command, and with the tools of every Unix', async () => {
    const { to } = unpacked('verified');
    const { stdout, stderr } = await verify(to);
    expect(stderr).toBe('');
    expect(stdout).toMatch(
      /^Export of acme: 7 files unchanged since they were signed\nat \S+ by key \S+ \(.*keys\.json\)\.\n2 receipts, each verified by itself\.\n$/,
    );
    execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: to });
    // With the keys of this installation.
    expect(await json('receipt', 'verify', to)).toMatchObject({
      ok: true,
      controller_id: 'acme',
      files: 7,
      receipts: 2,
    });
  });

  it('--full adds full receipts and audit rows', async () => {
    const full = `${folder}/full.zip`;
    const made = await json('export', '--controller', 'acme', '--full', '--output', full);
    expect(made).toEqual({ file: full, requests: 3, receipts: 2, refused: 0 });
    const { to, files } = unpacked('full', full);
    expect(files.get(`full/${ids.get('erased')}.json`)?.toString()).toContain('customers');
    const audit = rowsOf(files.get('audit.csv'));
    expect(audit[0]).toBe('audit_no,time,actor,action,subject_request_id,detail');
    expect(audit.join()).toMatch(/operator:olga,evidence\.exported,,"{""from"":null,/);
    expect(audit.join()).toContain(`request.completed,${ids.get('erased')}`);
    expect(Buffer.concat([...files.values()]).toString()).not.toContain('@example.com');
    expect((await verify(to)).stdout).toMatch(/^Export of acme: 12 files .*\n.*\n4 receipts/);
  });

  it('takes the requests of a time', async () => {
    const name = `${folder}/old.zip`;
    const made = await json(
      'export',
      '--controller',
      'acme',
      '--to',
      '2020-01-01',
      '--output',
      name,
    );
    expect(made).toMatchObject({ requests: 0, receipts: 0 });
    const { to, files } = unpacked('old', name);
    expect(files.get('index.html')?.toString()).toContain('There are none.');
    expect((await verify(to)).stdout).toContain('3 files unchanged');
  });

  it('is in the audit log, and never overwrites a file', async () => {
    const [row] = await json('audit', 'list', '--action', 'evidence.exported', '--limit', '9').then(
      (rows) => rows.toReversed(),
    );
    expect(row).toMatchObject({
      actor: 'operator:olga',
      controller_id: 'acme',
      detail: { from: null, until: null, full: false },
    });
    const again = await unwrite('export', '--controller', 'acme', '--output', file);
    expect(again.stderr).toMatch(/acme\.zip exists; give the name of a file that does not/);
    const unknown = await unwrite('export', '--controller', 'acm', '--output', `${folder}/x.zip`);
    expect(unknown.exitCode).toBe(1);
    const nowhere = await unwrite('export', '--controller', 'acme', '--output', '/nowhere/x.zip');
    expect(nowhere.stderr).toMatch(/cannot be written \(ENOENT\)/);
  });

  it.each([
    ['a list', /requests\.csv was changed/, (to: string) => `${to}/requests.csv`],
    ['a page', /index\.html was changed/, (to: string) => `${to}/index.html`],
    ['a receipt', /receipts\/.*\.json was changed/, (to: string) => receiptIn(to)],
    ['the list of files', /SHA256SUMS was changed/, (to: string) => `${to}/SHA256SUMS`],
    ['its statement', /export\.json: .*was changed/, (to: string) => `${to}/export.json`],
  ])('does not verify where %s was changed', async (_, problem, path) => {
    const { to } = unpacked('changed');
    const name = path(to);
    const text = readFileSync(name, 'utf8');
    writeFileSync(name, text.replace(text.includes('acme') ? 'acme' : /[0-9]/, 'x'));
    const { exitCode, stderr } = await verify(to);
    expect(stderr).toMatch(problem);
    expect(exitCode).toBe(1);
  });

  it('does not verify where a file was taken out or put in', async () => {
    const { to } = unpacked('other');
    rmSync(receiptIn(to));
    writeFileSync(`${to}/receipts/new.json`, '{}');
    const { stderr } = await verify(to);
    expect(stderr).toMatch(/receipts\/.*\.json is missing/);
    expect(stderr).toMatch(/receipts\/new\.json is not part of the export/);
    rmSync(`${to}/export.json`);
    expect((await verify(to)).stderr).toMatch(/is not a complete export \(ENOENT\)/);
  });
});

const receiptIn = (to: string) => `${to}/receipts/${ids.get('erased')}.json`;
