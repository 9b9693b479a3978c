// A shop, a register on paper, and operators of each role who call the API of a real server.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, vi } from 'vitest';
import { useInstallation } from '../../../cli/use-installation.ts';
import { type Answer, call, getToken, postJson } from '../../../helpers/http/api.ts';
import { type OperatorBrowser, openBrowser } from '../../../helpers/http/operator-browser.ts';
import { identity, requestBody } from '../../../helpers/http/request-body.ts';
import type { StoreKind } from '../../../helpers/stores/test-store.ts';
import { until } from '../../../helpers/until.ts';

/** Whole requests run through a real server, beside whatever else the machine does. */
const WITHIN_MS = 120_000;
vi.setConfig({ testTimeout: 2 * WITHIN_MS, hookTimeout: 2 * WITHIN_MS });

export const JANE = 'jane.doe@example.com';

const CONFIG = `
targets:
  shop:
    connector: sqlite
    file: ./shop.db
    controllers: [acme]
    tables:
      - table: invoices
        via: { orders: { order_id: id } }
        action: { retain: 'tax law' }
      - table: orders
        via: { users: { user_id: id } }
      - table: users
        match: { email: email }
  register:
    connector: manual
    controllers: [acme]
    instructions: Shred the card
`;

const SHOP = `
  CREATE TABLE users (id INTEGER PRIMARY KEY, email TEXT NOT NULL COLLATE NOCASE);
  CREATE TABLE orders (id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users);
  CREATE TABLE invoices (id INTEGER PRIMARY KEY, order_id INTEGER);
`;

export type Role = 'viewer' | 'operator' | 'admin';

export interface OperatorCalls {
  readonly token: string;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>;
  remove(path: string): Promise<Answer>;
}

export function useOperatorApi(kind: StoreKind) {
  const installation = useInstallation(kind);
  const { json, folder, serve } = installation;
  let url = '';
  let output = () => '';
  let acme = '';
  const roles = new Map<Role, OperatorCalls>();

  beforeAll(async () => {
    writeFileSync(`${folder()}/unwrite.config.yaml`, CONFIG);
    changeShop(SHOP);
    const credentials = await json('client', 'create', '--controller', 'acme');
    await json('controller', 'create', 'globex', '--name', 'Globex');
    const server = await serve('--config', `${folder()}/unwrite.config.yaml`);
    ({ url, output } = server);
    acme = await getToken({ ...credentials, token_url: `${url}/oauth/token` });
    for (const role of ['viewer', 'operator', 'admin'] as const) {
      const made = await json(
        'operator',
        'client',
        'create',
        '--role',
        role,
        '--name',
        `my ${role}`,
      );
      roles.set(role, callsOf(made.token));
    }
  });

  function changeShop(sql: string): void {
    const shop = new DatabaseSync(`${folder()}/shop.db`, { timeout: 5000 });
    shop.exec(sql);
    shop.close();
  }

  function callsOf(token: string): OperatorCalls {
    const send = (method: string, path: string, body: unknown, headers = {}) =>
      call(`${url}/operator/v1${path}`, {
        method,
        token,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
    return {
      token,
      get: (path, headers = {}) => call(`${url}/operator/v1${path}`, { token, headers }),
      post: (path, body, headers) => send('POST', path, body, headers),
      patch: (path, body, headers) => send('PATCH', path, body, headers),
      remove: (path) => call(`${url}/operator/v1${path}`, { method: 'DELETE', token }),
    };
  }

  const as = (role: Role): OperatorCalls => {
    const calls = roles.get(role);
    if (calls === undefined) throw new Error(`there is no ${role} yet`);
    return calls;
  };

  /** Signed in by a link: not a script. */
  async function person(role: Role): Promise<Pick<OperatorBrowser, 'post' | 'call'>> {
    const browser = openBrowser(url);
    await browser.redeem((await json('console', 'link', '--role', role, '--as', role)).url);
    return {
      call: (path, init) => browser.call(`/operator/v1${path}`, init),
      post: (path, body) => browser.post(`/operator/v1${path}`, body),
    };
  }

  /** A request of acme about this person. */
  async function request(email = JANE): Promise<string> {
    const id = randomUUID();
    const body = requestBody({
      subject_request_id: id,
      subject_identities: [identity('email', email)],
    });
    const answer = await postJson(`${url}/requests`, body, acme);
    if (answer.status !== 201) throw new Error(answer.text);
    return id;
  }

  const pathOf = (id: string) => `/requests/acme/${id}`;

  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  async function pageWhen(id: string, isSo: (page: any) => boolean): Promise<any> {
    let page = (await as('viewer').get(pathOf(id))).body;
    await until(
      async () => {
        const answer = await as('viewer').get(pathOf(id));
        if (answer.status !== 200) throw new Error(`${answer.text} ${output()}`);
        page = answer.body;
        return isSo(page);
      },
      () => `it never was: ${JSON.stringify(page)}`,
      WITHIN_MS,
    );
    return page;
  }

  /** Started, with the paper task held. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  async function held(email = JANE): Promise<any> {
    const id = await request(email);
    await as('operator').post(`${pathOf(id)}/start`);
    return pageWhen(
      id,
      (page) => page.tasks.length === 2 && taskAt(page, 'shop').state === 'erased',
    );
  }

  return {
    ...installation,
    as,
    person,
    request,
    held,
    pageWhen,
    pathOf,
    changeShop,
    callsOf,
    url: () => url,
    output: () => output(),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export function taskAt(page: any, target: string): any {
  // biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
  return page.tasks.find((task: any) => task.target === target) ?? {};
}
