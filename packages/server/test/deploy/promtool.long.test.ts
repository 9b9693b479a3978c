// Prometheus' own tool reads what a server exposes while requests go through their whole life, and the alerts.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeInstallation, type TestInstallation } from '../e2e/set-up/installation.ts';
import { CONTROLLERS, emailOf, fillShop, shopTarget } from '../e2e/set-up/shop.ts';
import { type ShopDatabase, SQLITE } from '../e2e/set-up/shop-database.ts';
import { freePort } from '../helpers/free-port.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../helpers/temporary-folder.ts';
import { until } from '../helpers/until.ts';
import { findTool } from './tools.ts';

const PROMTOOL = findTool('promtool', 'promtool');
const FOLDER = fileURLToPath(new URL('../../../../deploy/prometheus', import.meta.url));

function promtool(args: readonly string[], input = '') {
  const { status, stdout, stderr } = spawnSync(PROMTOOL ?? '', args, {
    cwd: FOLDER,
    input,
    encoding: 'utf8',
  });
  return { status, output: stdout + stderr };
}

describe.skipIf(!PROMTOOL)('promtool, of the Debian package prometheus', () => {
  let folder: TemporaryFolder;
  let shop: ShopDatabase;
  let unwrite: TestInstallation;
  let port: number;

  beforeAll(async () => {
    folder = makeTemporaryFolder();
    shop = await SQLITE.open(folder.path);
    const size = { customers: 20, ordersEach: 1, heavy: 0, ordersOfTheHeavy: 0 };
    await fillShop(SQLITE, shop, size);
    port = await freePort();
    const settings = `cancellation_window: 0s\nmanagement_port: ${port}\n`;
    unwrite = await makeInstallation(folder.path, `${settings}targets:\n${shopTarget(shop)}`);
    await unwrite.start();
  });
  afterAll(async () => {
    await unwrite.kill('SIGTERM');
    await shop.close();
    folder.remove();
  });

  it('finds nothing wrong with the metrics of a server that erases', async () => {
    const [acme] = CONTROLLERS;
    const id = await unwrite.submit(acme, [['email', emailOf(0)]]);
    await unwrite.untilCompleted(acme, [id]);
    let text = '';
    await until(
      async () => {
        text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
        return text.includes('call="verify"');
      },
      () => 'the worker does not tell what it measures',
    );
    expect(promtool(['check', 'metrics'], text)).toEqual({ status: 0, output: '' });
    expect(text).not.toContain('@example.com');
  });

  it('finds the alerts valid, and their tests pass', () => {
    expect(promtool(['check', 'rules', 'alerts.yml'])).toMatchObject({ status: 0 });
    expect(promtool(['test', 'rules', 'alerts.test.yml'])).toMatchObject({ status: 0 });
  });
});
