import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { startListener } from '../../helpers/http/listener.ts';
import { until } from '../../helpers/until.ts';
import { useShop } from '../use-shop.ts';

const shop = useShop();
const { json, unwrite } = shop;

describe('unwrite pause', () => {
  it('stops erasing until unwrite resume, and the lists of targets and requests show it', async () => {
    shop.addRows('acme', 'paused@example.com', 2);
    const said = await unwrite('pause', '--as', 'olga');
    expect(said.stdout).toContain('All erasing is paused');
    expect(said.stdout).toContain('holds across restarts');

    const id = await shop.submit('acme', [['email', 'paused@example.com']]);
    await shop.untilTask(id, 'acme', 'waiting');
    expect((await json('target', 'list'))[0].paused).toBe(true);
    const lines: { subject_request_id: string; reason: string }[] = await json(
      'request',
      'list',
      '--attention',
    );
    expect(lines.find((it) => it.subject_request_id === id)?.reason).toBe('paused');
    const shown = await unwrite('request', 'list', '--attention');
    expect(shown.stdout).toMatch(/^All erasing has been paused since .* by operator:olga/);
    expect(shop.rowsOf('acme', 'paused@example.com')).toBe(2);

    expect((await unwrite('resume', '--as', 'olga')).stdout).toBe('Erasing is resumed.\n');
    await shop.untilTask(id, 'acme', 'erased');
    expect(shop.rowsOf('acme', 'paused@example.com')).toBe(0);
  });

  it('may apply to one target, which is resumed separately', async () => {
    const { paused } = await json('pause', '--target', 'shop', '--as', 'olga');
    expect(paused).toEqual([
      expect.objectContaining({ target: 'shop', paused_by: 'operator:olga' }),
    ]);
    expect((await unwrite('pause', '--target', 'shop')).stdout).toMatch(/was paused already/);
    expect((await unwrite('resume')).stdout).toMatch(
      /not paused for all targets.*Erasing at shop has been paused/s,
    );
    expect((await unwrite('target', 'list')).stdout).toMatch(/Erasing at shop has been paused/);
    expect((await json('resume', '--target', 'shop')).paused).toEqual([]);
  });

  it('is refused for a target that there is not', async () => {
    const { exitCode, stderr } = await unwrite('pause', '--target', 'shopp');
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/shopp/);
  });
});

describe('unwrite alarms', () => {
  it('says that none was raised', async () => {
    expect((await unwrite('alarms', 'list')).stdout).toBe('No alarm was raised.\n');
    expect(await json('alarms', 'list')).toEqual([]);
  });

  it('lists alarms with what to do; "request list --attention" also shows alarms that are about no request', async () => {
    await shop.inStore(
      `INSERT INTO circuits VALUES ('crm', 'unreachable', 'gone', 1, 0, ${Date.now() + 1e9})`,
    );
    let alarms: { kind: string; target: string; message: string }[] = [];
    const isRaised = async () => {
      alarms = await json('alarms', 'list', '--kind', 'target_down');
      return alarms.length > 0;
    };
    await until(isRaised, () => 'no alarm was raised');
    expect(alarms).toEqual([expect.objectContaining({ kind: 'target_down', target: 'crm' })]);
    expect((await unwrite('alarms', 'list')).stdout).toMatch(
      /target_down .*unwrite target check crm/,
    );
    expect((await unwrite('request', 'list', '--attention')).stdout).toMatch(
      /^crm: .*\(target_down\)$/m,
    );
  });

  it('tests the webhook, and says what came back', async () => {
    const listener = await startListener();
    const file = `${shop.folder()}/alarms.yaml`;
    writeFileSync(
      file,
      `alarms: { webhook: "${listener.url}/in" }\nwebhooks: { allow_private: [127.0.0.1] }`,
    );
    const arrived = await unwrite('alarms', 'test', '--config', file);
    expect(arrived.stdout).toBe('Delivered: the webhook answered 200.\n');
    expect(listener.asked).toEqual(['/in']);
    await listener.close();
    const failed = await unwrite('alarms', 'test', '--config', file);
    expect(failed.exitCode).toBe(1);
    expect(failed.stderr).toMatch(
      /did not arrive: 127\.0\.0\.1:\d+ cannot be reached \(ECONNREFUSED\)/,
    );
    const unset = await unwrite('alarms', 'test');
    expect(unset.stderr).toMatch(/alarms are not sent anywhere/);
  });
});
