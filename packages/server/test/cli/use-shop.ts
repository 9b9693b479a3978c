// An installation whose server erases from a small shop. Whoever has more than three rows there is
// held; globex has paper as well, which is for a person; umbrella's archive is away until it is made.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll } from 'vitest';
import { stringify } from 'yaml';
import { call, getToken, postJson } from '../helpers/http/api.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import type { TestServer } from '../helpers/servers/server-process.ts';
import { DEFAULT_STORE } from '../helpers/stores/test-store.ts';
import { useInstallation } from './use-installation.ts';

export type Controller = 'acme' | 'globex' | 'umbrella';
export const INSTRUCTIONS = 'Shred the folder in cabinet 3';

const table = {
  table: 'customers',
  match: { email: 'email', controller_customer_id: 'number' },
};
const TARGETS = {
  shop: {
    connector: 'sqlite',
    file: './shop.db',
    tenant_column: 'account',
    tables: [table],
    max_rows_per_subject: 3,
  },
  paper: { connector: 'manual', instructions: INSTRUCTIONS, controllers: ['globex'] },
  archive: {
    connector: 'sqlite',
    file: './archive.db',
    controllers: ['umbrella'],
    tables: [table],
  },
};

export interface ShownTask {
  readonly task: number;
  readonly target: string;
  readonly run: number;
  readonly state: string;
  readonly reason: string | null;
}

export function useShop(
  settings: Record<string, unknown> = {},
  storeKind = DEFAULT_STORE,
  start?: Parameters<typeof useInstallation>[1],
) {
  const installation = useInstallation(storeKind, start);
  const { json, client, folder } = installation;
  const tokens = new Map<Controller, string>();
  let server: TestServer;

  beforeAll(async () => {
    const config = { cancellation_window: '0s', retry_delay: '1h', ...settings, targets: TARGETS };
    writeFileSync(`${folder()}/unwrite.config.yaml`, stringify(config));
    makeDatabase('shop');
    for (const controllerId of ['acme', 'globex', 'umbrella'] as const) {
      const credentials = await client(controllerId);
      if (tokens.size === 0) server = await serve();
      tokens.set(controllerId, await getToken(credentials));
    }
  });

  const serve = () => installation.serve('--config', `${folder()}/unwrite.config.yaml`);

  function makeDatabase(name: string): void {
    const database = new DatabaseSync(`${folder()}/${name}.db`);
    database.exec(`
      PRAGMA journal_mode = WAL;
      CREATE TABLE customers (id INTEGER PRIMARY KEY, account TEXT, email TEXT, number TEXT);
      CREATE INDEX by_email ON customers (account, email COLLATE NOCASE);
      CREATE INDEX by_number ON customers (account, number);
      INSERT INTO customers (account, email) VALUES
        ('acme', 'other@example.com'), ('globex', 'other@example.com'), ('umbrella', 'other@example.com');
    `);
    database.close();
  }

  function inShop<T>(work: (database: DatabaseSync) => T): T {
    const database = new DatabaseSync(`${folder()}/shop.db`, { timeout: 5000 });
    try {
      return work(database);
    } finally {
      database.close();
    }
  }

  /** The tasks of a request, as soon as they are in these states, in the order of the targets' names. */
  async function untilTasks(
    id: string,
    controllerId: Controller,
    ...states: string[]
  ): Promise<ShownTask[]> {
    const deadline = Date.now() + 45_000;
    let nextCommand = 0;
    for (;;) {
      // A look into the store costs a millisecond, a command thirty. On PostgreSQL a request may have been archived.
      if ((await storedStates(id, controllerId)) === states.join() || Date.now() > nextCommand) {
        const sorted = await shownTasks(id, controllerId);
        if (sorted.map(({ state }) => state).join() === states.join()) return sorted;
        if (Date.now() > deadline) {
          throw new Error(`not ${states}, but ${JSON.stringify(sorted)}`);
        }
        nextCommand = Date.now() + 1000;
      }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async function shownTasks(id: string, controllerId: Controller): Promise<ShownTask[]> {
    const { tasks }: { tasks: ShownTask[] } = await json(
      'request',
      'show',
      id,
      '--controller',
      controllerId,
    );
    return tasks.toSorted((a, b) => a.target.localeCompare(b.target));
  }

  async function storedStates(id: string, controllerId: Controller): Promise<string> {
    const rows = await installation.inStore(
      `SELECT state FROM tasks JOIN requests USING (request_no)
       WHERE subject_request_id = '${id}' AND controller_id = '${controllerId}' ORDER BY target, run`,
    );
    return rows.map(({ state }) => state).join();
  }

  return {
    ...installation,
    server: () => server,
    async serveAgain(): Promise<void> {
      server = await serve();
    },
    makeDatabase,
    untilTasks,
    /** The number of the only task of a request, as soon as it is in that state. */
    async untilTask(id: string, controllerId: Controller, state: string): Promise<string> {
      const [task] = await untilTasks(id, controllerId, state);
      return String(task?.task);
    },
    addRows(account: Controller, email: string, rows: number, number: string | null = null): void {
      inShop((database) => {
        const insert = database.prepare(
          'INSERT INTO customers (account, email, number) VALUES (?, ?, ?)',
        );
        for (let n = 0; n < rows; n++) insert.run(account, email, number);
      });
    },
    rowsOf: (account: Controller, email: string): number =>
      inShop((database) =>
        Number(
          database
            .prepare('SELECT count(*) AS n FROM customers WHERE account = ? AND email = ?')
            .get(account, email)?.n,
        ),
      ),
    /** Answers the id. */
    async submit(
      controllerId: Controller,
      identities: readonly [string, string][],
      id: string = randomUUID(),
    ): Promise<string> {
      const body = requestBody({
        subject_request_id: id,
        subject_identities: identities.map(([type, value]) => identity(type, value)),
      });
      const answer = await postJson(`${server.url}/requests`, body, tokens.get(controllerId));
      if (answer.status !== 201) throw new Error(`not created: ${answer.status} ${answer.text}`);
      return id;
    },
    async cancel(controllerId: Controller, id: string): Promise<void> {
      const token = tokens.get(controllerId) ?? '';
      await call(`${server.url}/requests/${id}`, { method: 'DELETE', token });
    },
    /** What the audit log has of an action on a request: by whom, and about what. */
    async audited(id: string, controllerId: Controller, action: string) {
      const { history } = await json('request', 'show', id, '--controller', controllerId);
      return (history as { action: string; actor: string; detail: unknown }[])
        .filter((row) => row.action === action)
        .map(({ actor, detail }) => ({ actor, detail }));
    },
  };
}
