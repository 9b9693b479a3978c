// An installation whose operators sign on with a company's identity provider, and a browser that goes there.
import { afterAll, beforeAll } from 'vitest';
import { useInstallation } from '../../cli/use-installation.ts';
import {
  type BrowserAnswer,
  type OperatorBrowser,
  openBrowser,
} from '../../helpers/http/operator-browser.ts';
import {
  type OperatorProvider,
  type OperatorProviderOptions,
  SSO_CLIENT,
  startOperatorProvider,
} from '../../helpers/http/operator-provider.ts';
import type { StoreKind } from '../../helpers/stores/test-store.ts';

export const START = '/operator/v1/sign-in/sso';
export const CALLBACK = '/operator/v1/sign-in/callback';

export interface SsoUse extends Omit<OperatorProviderOptions, 'redirectUris'> {
  /** `operator_sso.roles`, as YAML. */
  readonly roles: string | undefined;
  readonly flags?: readonly string[];
}

export function useSso(kind: StoreKind, { roles, flags = [], ...options }: SsoUse) {
  const installation = useInstallation(kind);
  let provider: OperatorProvider;
  let url: string;

  const settings = (issuer = provider.url) => [
    '--operator-url',
    `http://127.0.0.1:${installation.options().port}`,
    '--operator-sso-issuer',
    issuer,
    '--operator-sso-client-id',
    SSO_CLIENT.id,
    ...(roles === undefined ? [] : ['--operator-sso-roles', roles]),
    ...flags,
  ];

  beforeAll(async () => {
    const own = `http://127.0.0.1:${installation.options().port}`;
    provider = await startOperatorProvider({ ...options, redirectUris: [`${own}${CALLBACK}`] });
    await installation.unwrite('client', 'create', '--controller', 'acme');
    const { environment } = installation.options();
    Object.assign(environment, { UNWRITE_OPERATOR_SSO_CLIENT_SECRET: SSO_CLIENT.secret });
    ({ url } = await installation.serve(...settings()));
  });
  afterAll(() => provider.close());

  /** Goes to the provider, logs in there as the user, and stops before it comes back. */
  async function untilCallback(
    browser: OperatorBrowser,
    user: string,
    start = START,
  ): Promise<URL> {
    provider.user = user;
    const away = await browser.call(start);
    if (away.status !== 302) throw new Error(`no way to the provider: ${away.text}`);
    return follow(new URL(String(away.headers.get('location'))), `${url}${CALLBACK}`);
  }

  const finish = (browser: OperatorBrowser, callback: URL): Promise<BrowserAnswer> =>
    browser.call(`${callback.pathname}${callback.search}`);

  return {
    ...installation,
    settings,
    provider: () => provider,
    url: () => url,
    browser: () => openBrowser(url),
    untilCallback,
    finish,
    async signOn(user: string, start = START) {
      const browser = openBrowser(url);
      const answer = await finish(browser, await untilCallback(browser, user, start));
      return { browser, answer };
    },
  };
}

/** At the provider, with cookies of its own. */
export async function follow(start: URL, end: string): Promise<URL> {
  const there = openBrowser(start.origin);
  let at = start;
  for (let steps = 0; !at.href.startsWith(end); steps++) {
    if (steps > 10) throw new Error(`the sign-on goes in circles at ${at.pathname}`);
    const answer = await there.call(`${at.pathname}${at.search}`);
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`the sign-on stopped: ${answer.text}`);
    at = new URL(location, at);
  }
  return at;
}
