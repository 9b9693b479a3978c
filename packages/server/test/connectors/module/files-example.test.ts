import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConnector } from '../../../src/connectors/create-connector.ts';
import type { Connector, EraseOrder, Subject } from '../../../src/domain/target/connector.ts';
import { eraseOrders } from '../../helpers/erase-found.ts';
import { orderOf, subjectOf } from '../../helpers/subject.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../../helpers/temporary-folder.ts';
import { moduleTarget } from './module-target.ts';

const EXAMPLE = fileURLToPath(
  new URL('../../../../../examples/module-target/files.ts', import.meta.url),
);
const anna = subjectOf(1, [['controller_customer_id', '48151']]);

let folder: TemporaryFolder;
let connector: Connector;

beforeAll(async () => {
  folder = makeTemporaryFolder();
  connector = await connect(folder.path);
});
afterEach(() => {
  for (const name of readdirSync(folder.path)) rmSync(join(folder.path, name), { recursive: true });
});
afterAll(async () => {
  await connector.close();
  folder.remove();
});

function connect(root: string): Promise<Connector> {
  return createConnector(moduleTarget(EXAMPLE, { root }), {
    hash: String,
    domain: 'erase.example',
  });
}

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true });
    writeFileSync(join(folder.path, path), 'content');
  }
}

async function previewed(subject: Subject): Promise<EraseOrder> {
  const [preview] = await connector.preview([subject]);
  if (preview?.outcome !== 'found') throw new Error(`not found: ${preview?.outcome}`);
  return orderOf(subject, preview.counts, preview.keys);
}

const isThere = (path: string) => existsSync(join(folder.path, path));

describe('the example module', () => {
  it('counts, erases and verifies a person’s files, and leaves everybody else’s', async () => {
    put('acme/48151/a.pdf', 'acme/48151/2024/b.pdf', 'acme/481516/c.pdf', 'globex/48151/d.pdf');

    const order = await previewed(anna);
    expect(order.counts).toEqual({ files: 2, folders: 2 });
    expect(isThere('acme/48151/a.pdf')).toBe(true);
    expect(await connector.verify([order])).toEqual([
      { outcome: 'remains', counts: { files: 2, folders: 2 } },
    ]);

    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 2, folders: 2 } },
    ]);
    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'requeried' }]);
    expect(isThere('acme/48151')).toBe(false);
    expect(isThere('acme/481516/c.pdf')).toBe(true);
    expect(isThere('globex/48151/d.pdf')).toBe(true);
  });

  it('may run twice: the second time there is nothing left to erase', async () => {
    put('acme/48151/a.pdf');
    const order = await previewed(anna);
    await eraseOrders(connector, [order]);

    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 0, folders: 0 } },
    ]);
    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'requeried' }]);
  });

  it('erases no file that came after the preview, and says that it remains', async () => {
    put('acme/48151/a.pdf');
    const order = await previewed(anna);
    put('acme/48151/late.pdf');

    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 1, folders: 0 } },
    ]);
    expect(isThere('acme/48151/late.pdf')).toBe(true);
    expect(await connector.verify([order])).toEqual([
      { outcome: 'remains', counts: { files: 1, folders: 1 } },
    ]);
  });

  it.each(['999', '../globex/48151', '.', '..', '', '48151/', '4815*', '48151\0', 'ÄNNA'])(
    'finds nobody for the customer id %j',
    async (id) => {
      put('acme/48151/a.pdf', 'globex/48151/d.pdf', 'acme/änna/a.pdf');

      const order = await previewed(subjectOf(1, [['controller_customer_id', id]]));

      expect(order.counts).toEqual({ files: 0, folders: 0 });
    },
  );

  it('cannot use a request that has only an email', async () => {
    expect(await connector.preview([subjectOf(1, [['email', 'anna@example.com']])])).toEqual([
      { outcome: 'unmatched' },
    ]);
  });

  it('removes a link and not what it leads to', async () => {
    put('elsewhere/kept.pdf', 'acme/48151/a.pdf');
    symlinkSync(join(folder.path, 'elsewhere'), join(folder.path, 'acme/48151/link'));

    const order = await previewed(anna);
    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 2, folders: 1 } },
    ]);

    expect(readdirSync(join(folder.path, 'elsewhere'))).toEqual(['kept.pdf']);
    expect(isThere('acme/48151')).toBe(false);
  });

  it('finishes what a crash left half done', async () => {
    put('acme/48151/2024/b.pdf');
    const order = await previewed(anna);
    rmSync(join(folder.path, 'acme/48151/2024'), { recursive: true });

    expect(await eraseOrders(connector, [order])).toEqual([
      { outcome: 'erased', counts: { files: 0, folders: 1 } },
    ]);
    expect(await connector.verify([order])).toEqual([{ outcome: 'gone', how: 'requeried' }]);
  });

  it('runs unchanged in the Node.js that Unwrite runs on', () => {
    const source = import.meta.resolve('../../../src/connectors/create-connector.ts');
    const target = JSON.stringify(moduleTarget(EXAMPLE, { root: folder.path }));
    const program = `import { createConnector } from ${JSON.stringify(source)};
      const connector = await createConnector(${target}, { hash: String, domain: 'erase.example' });
      console.log(JSON.stringify(await connector.check()));`;

    const result = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
      encoding: 'utf8',
    });

    expect(result.stderr).toBe('');
    expect(JSON.parse(result.stdout)).toMatchObject([{ level: 'ok', subject: 'root' }]);
  });

  it('says in its check whether the folder exists', async () => {
    expect(await connector.check()).toMatchObject([{ level: 'ok' }]);
    const lost = await connect(join(folder.path, 'nowhere'));
    expect(await lost.check()).toMatchObject([{ level: 'problem' }]);
  });

  it('refuses options that it cannot work with', async () => {
    await expect(connect('relative/path')).rejects.toMatchObject({
      code: 'module_error',
      message: expect.stringContaining('TypeError'),
    });
  });
});
