// Operators who sign in on one node are signed in on all, and signed out as well.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasPostgres } from '../helpers/databases/fresh-postgres.ts';
import { call } from '../helpers/http/api.ts';
import { type OperatorBrowser, openBrowser } from '../helpers/http/operator-browser.ts';
import { startNodes, type TestNodes } from '../helpers/servers/nodes.ts';

describe.skipIf(!(await hasPostgres()))('operators on two nodes', () => {
  let installation: TestNodes;
  let a: string;
  let b: string;
  beforeAll(async () => {
    installation = await startNodes({ roles: ['all', 'api'] });
    [a, b] = installation.nodes.map(({ url }) => url) as [string, string];
  });
  afterAll(() => installation.close());

  const link = async (): Promise<string> =>
    (await installation.command('console', 'link', '--role', 'admin', '--as', 'ada')).url;

  /** Behind one address a browser would send it to both; here the ports are in the names. */
  function alsoOn(url: string, browser: OperatorBrowser): OperatorBrowser {
    const there = openBrowser(url);
    for (const value of browser.cookies.values()) {
      there.cookies.set(`unwrite_session_${new URL(url).port}`, value);
    }
    return there;
  }
  const status = async (browser: OperatorBrowser) =>
    (await browser.call('/operator/v1/session')).status;

  it('a session of one node is valid on the other, and over on both after sign-out', async () => {
    const onA = openBrowser(a);
    expect((await onA.redeem(await link())).status).toBe(200);
    const onB = alsoOn(b, onA);
    expect([await status(onA), await status(onB)]).toEqual([200, 200]);
    expect((await onB.post('/operator/v1/sign-out')).status).toBe(204);
    expect([await status(onA), await status(onB)]).toEqual([401, 401]);
  });

  it('a link that one took is used up on the other', async () => {
    const address = await link();
    const answers = await Promise.all([a, b, a, b].map((url) => openBrowser(url).redeem(address)));
    expect(answers.map((it) => it.status).sort()).toEqual([200, 403, 403, 403]);
  });

  it('a client that was revoked is refused by both at once', async () => {
    const create = ['operator', 'client', 'create', '--role', 'viewer', '--name', 'nightly'];
    const { token, client_id: id } = await installation.command(...create);
    const onBoth = async () => {
      const asked = [a, b].map((url) => call(`${url}/operator/v1/session`, { token }));
      return (await Promise.all(asked)).map((answer) => answer.status);
    };
    expect(await onBoth()).toEqual([200, 200]);
    await installation.command('operator', 'client', 'revoke', id);
    expect(await onBoth()).toEqual([401, 401]);
  });
});
