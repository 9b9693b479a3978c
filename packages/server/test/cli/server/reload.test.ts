// `unwrite config reload` beside a server that is a process of its own, and what a hang-up does to one.
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { type ServerProcess, startServerProcess } from '../../helpers/servers/server-process.ts';
import { until } from '../../helpers/until.ts';
import { useShop } from '../use-shop.ts';

describe('reloading the settings', () => {
  const shop = useShop({ cancellation_window: '0s' }, 'sqlite', startServerProcess);
  const file = () => `${shop.folder()}/unwrite.config.yaml`;
  // biome-ignore lint/suspicious/noExplicitAny: settings are changed freely
  function change(work: (settings: any) => void): void {
    const settings = parse(readFileSync(file(), 'utf8'));
    work(settings);
    writeFileSync(file(), stringify(settings));
  }
  const ofServer = () => shop.server() as ServerProcess;

  it('takes over a changed plan, and the audit log has it', async () => {
    shop.addRows('acme', 'before@example.com', 4);
    const held = await shop.submit('acme', [['email', 'before@example.com']]);
    await shop.untilTasks(held, 'acme', 'held');
    change(({ targets }) => {
      targets.shop.max_rows_per_subject = 10;
    });
    const { stdout, exitCode } = await shop.unwrite('config', 'reload');
    expect([exitCode, stdout]).toEqual([
      0,
      `Process ${ofServer().child.pid} has taken over: targets.\n`,
    ]);
    shop.addRows('acme', 'after@example.com', 4);
    const erased = await shop.submit('acme', [['email', 'after@example.com']]);
    await shop.untilTasks(erased, 'acme', 'erased');
    const [row] = await shop.json('audit', 'list', '--action', 'config.reloaded');
    expect(row).toMatchObject({ actor: 'system', detail: { changed: ['targets'] } });
  });

  it('says so where nothing has changed', async () => {
    const { stdout } = await shop.unwrite('config', 'reload');
    expect(stdout).toContain('nothing has changed');
  });

  it('keeps everything where the file is broken or needs a restart, and tells why', async () => {
    const good = readFileSync(file(), 'utf8');
    change((settings) => {
      settings.cancellation_window = '2h';
      settings.log_level = 'warn';
    });
    const refused = await shop.unwrite('config', 'reload');
    expect(refused.exitCode).toBe(1);
    expect(refused.stdout).toContain('log_level has changed: restart the server for it');
    writeFileSync(file(), `${good}\ncancelation_window: 2h\n`);
    // A command that only signals reads the same file, so the server is asked directly.
    ofServer().child.kill('SIGHUP');
    await until(
      async () => ofServer().output().includes('cancelation_window'),
      () => ofServer().output(),
    );
    writeFileSync(file(), good);
    shop.addRows('acme', 'still@example.com', 4);
    const erased = await shop.submit('acme', [['email', 'still@example.com']]);
    await shop.untilTasks(erased, 'acme', 'erased');
    expect(ofServer().child.exitCode).toBe(null);
  });

  it('says that nothing is running', async () => {
    await ofServer().kill('SIGTERM');
    const { exitCode, stderr } = await shop.unwrite('config', 'reload');
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining('no server is running')]);
  });
});
