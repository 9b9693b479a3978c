// The sign-in link that `unwrite serve` prints last: at a terminal, and nowhere else.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { codeOf, openBrowser } from '../../helpers/http/operator-browser.ts';
import { useInstallation } from '../use-installation.ts';

const LINK = /http:\/\/localhost:\d+\/operator\/sign-in#code=[\w-]{43}/;

/** What the server prints beside its log, which is kept apart in these tests. */
function watchTerminal(isTTY: boolean): () => string {
  let printed = '';
  Object.assign(process.stdout, { isTTY: isTTY || undefined });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  return () => printed;
}

afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stdout, { isTTY: undefined });
});

/** It ends what hangs; on a busy machine the last lines come late. */
const PATIENCE = { timeout: 45_000 };

describe('unwrite serve at a terminal', () => {
  const { serve, inStore } = useInstallation('sqlite');
  it('prints a link that signs its person in as admin, and logs nothing of it', async () => {
    const printed = watchTerminal(true);
    const server = await serve('--demo', 'true');
    const link = await vi.waitFor(() => {
      const [found] = LINK.exec(printed()) ?? [];
      expect(found).toBeDefined();
      return String(found);
    }, PATIENCE);
    // The last line, ready to click.
    expect(printed().trimEnd().split('\n').at(-1)).toBe(`  ${link}`);
    const browser = openBrowser(server.url);
    expect((await browser.redeem(link)).body).toMatchObject({ role: 'admin' });
    expect(server.output()).not.toContain(codeOf(link));
    expect(server.output()).not.toContain('sign-in');
    expect(await inStore('SELECT used_time FROM operator_links')).toHaveLength(1);
  });
});

describe('unwrite serve into a file or a pipe', () => {
  const { serve, inStore } = useInstallation('sqlite');
  it('makes no link', async () => {
    const printed = watchTerminal(false);
    const server = await serve('--demo', 'true');
    await vi.waitFor(() => expect(printed()).toContain('API docs'), PATIENCE);
    expect(await (await fetch(`${server.url}/health/ready`)).json()).toEqual({ status: 'ready' });
    expect(`${printed()}${server.output()}`).not.toMatch(/sign-in|code=/);
    expect(await inStore('SELECT used_time FROM operator_links')).toEqual([]);
  });
});

describe('unwrite serve with single sign-on, or without links', () => {
  const { serve, inStore } = useInstallation('sqlite');
  it.each([
    ['operator_links: off', ['--operator-links', 'off']],
    [
      'operator_sso',
      ['--operator-sso-issuer', 'https://login.example', '--operator-sso-client-id', 'unwrite'],
    ],
  ])('makes no link with %s', async (_, flags) => {
    const printed = watchTerminal(true);
    const server = await serve('--demo', 'true', ...flags);
    await vi.waitFor(() => expect(printed()).toContain('Unwrite is ready'), PATIENCE);
    await server.kill('SIGTERM');
    expect(printed()).not.toContain('code=');
    expect(await inStore('SELECT used_time FROM operator_links')).toEqual([]);
  });
});
