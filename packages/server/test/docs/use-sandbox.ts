// An installation in which the commands of the pages can be run: a server, two databases to erase from, a manual
// target, a webhook, and requests in every state that a command needs.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll } from 'vitest';
import { stringify } from 'yaml';
import { useInstallation } from '../cli/use-installation.ts';
import { type Credentials, getToken, postJson } from '../helpers/http/api.ts';
import { type Listener, startListener } from '../helpers/http/listener.ts';
import { identity, requestBody } from '../helpers/http/request-body.ts';
import type { CommandResult, TestServer } from '../helpers/servers/server-process.ts';

/** On standard input of commands that read an identity from it. */
const PERSON = 'jane@example.com';
const REQUESTS = 3;
const PEOPLE = 30;
const PATIENCE_MS = 50_000;

const table = {
  table: 'customers',
  match: { email: 'email', controller_customer_id: 'number' },
};
const database = (name: string, more = {}) => ({
  connector: 'sqlite',
  file: `./${name}.db`,
  tenant_column: 'account',
  tables: [table],
  ...more,
});

interface ShownTask {
  readonly task: number;
  readonly target: string;
  readonly state: string;
}

export function useSandbox() {
  const installation = useInstallation('sqlite');
  const { json, folder, unwrite, unwriteReading } = installation;
  let server: TestServer;
  let listener: Listener;
  let credentials: Credentials;
  let completed: string;
  let people = 0;
  const used = new Set<unknown>();

  beforeAll(async () => {
    listener = await startListener();
    const config = {
      alarms: { webhook: `${listener.url}/alarms` },
      webhooks: { allow_private: ['127.0.0.1'] },
      targets: {
        crm: database('crm'),
        shop: database('shop', { mode: 'preview' }),
        paper: { connector: 'manual' },
      },
    };
    writeFileSync(join(folder(), 'unwrite.config.yaml'), stringify(config));
    for (const name of ['crm', 'shop']) makeDatabase(join(folder(), `${name}.db`));
    credentials = await installation.client('acme');
    server = await installation.serve('--config', join(folder(), 'unwrite.config.yaml'));
    const open: string[] = [];
    for (let n = 0; n < REQUESTS; n++) open.push(await submit());
    for (const id of open) await json('request', 'start', id);
    completed = open.shift() ?? '';
    for (const task of await untilHeld(completed)) {
      if (task.target === 'shop') await json('task', 'release', String(task.task));
      else await json('manual', 'confirm', String(task.task), '--note', 'done');
    }
    await until(
      async () => (await json('request', 'show', completed)).request_status === 'completed',
    );
    for (const id of open) await untilHeld(id);
  });
  afterAll(() => listener?.close());

  function makeDatabase(path: string): void {
    const made = new DatabaseSync(path);
    made.exec(`
      CREATE TABLE customers (id INTEGER PRIMARY KEY, account TEXT, email TEXT, number TEXT);
      CREATE INDEX by_email ON customers (account, email COLLATE NOCASE);
      CREATE INDEX by_number ON customers (account, number);
    `);
    const insert = made.prepare("INSERT INTO customers (account, email) VALUES ('acme', ?)");
    for (let n = 0; n < PEOPLE; n++) insert.run(`person${n}@example.com`);
    insert.run(PERSON);
    made.close();
  }

  /** Of somebody who has not been named before. Answers its id; it stays pending. */
  async function submit(): Promise<string> {
    const id = randomUUID();
    const body = requestBody({
      subject_request_id: id,
      subject_identities: [identity('email', `person${people++}@example.com`)],
    });
    const answer = await postJson(`${server.url}/requests`, body, await getToken(credentials));
    if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
    return id;
  }

  async function until(isThere: () => Promise<boolean>): Promise<void> {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await isThere())) {
      if (Date.now() > deadline) throw new Error(`it did not come: ${isThere}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** The tasks of a request that wait for a person, as soon as both do. */
  async function untilHeld(id: string): Promise<ShownTask[]> {
    let held: ShownTask[] = [];
    await until(async () => {
      const { tasks }: { tasks: ShownTask[] } = await json('request', 'show', id);
      held = tasks.filter(({ state }) => state === 'held');
      return held.length === 2;
    });
    return held;
  }

  /** One that no earlier command has been given, of a new request where none is left. */
  async function unusedTask(target: string): Promise<string> {
    const tasks: ShownTask[] = await json('task', 'list', '--state', 'held', '--target', target);
    const found = tasks.find(({ task }) => !used.has(task));
    if (found !== undefined) {
      used.add(found.task);
      return String(found.task);
    }
    await startOne();
    return unusedTask(target);
  }

  /** Answers the id of a request whose tasks are held. */
  async function startOne(): Promise<string> {
    const id = await submit();
    await json('request', 'start', id);
    await untilHeld(id);
    return id;
  }

  async function requestInProgress(): Promise<string> {
    const [request] = await json('request', 'list', '--status', 'in_progress');
    return request?.subject_request_id ?? startOne();
  }

  async function retiredKey(): Promise<string> {
    let retired: string | undefined;
    await until(async () => {
      const keys: { master_key: string; state: string }[] = await json('keys', 'list');
      retired = keys.find(({ state }) => /retired|destroyable/.test(state))?.master_key;
      return retired !== undefined;
    });
    return retired ?? '';
  }

  /** What stands for `<name>` in a command, so that the command makes sense. */
  async function valueFor(placeholder: string, args: readonly string[]): Promise<string> {
    const command = args.join(' ');
    switch (placeholder) {
      case 'task':
        return unusedTask(command.startsWith('task release') ? 'shop' : 'paper');
      case 'name':
        return command.startsWith('erase-again') ? 'crm' : 'shop';
      case 'controller_id':
        return 'acme';
      case 'client_id':
        return (await installation.client('acme')).client_id;
      case 'secret_id': {
        const [, , , client = ''] = args;
        const [secret] = await json('client', 'secret', 'list', client);
        return secret.secret_id;
      }
      case 'id':
      case 'subject_request_id':
        if (command.startsWith('keys')) return retiredKey();
        if (command.startsWith('request start')) return submit();
        return command.startsWith('receipt') ? completed : requestInProgress();
      default:
        throw new Error(`nothing stands for <${placeholder}>`);
    }
  }

  /** Runs `unwrite …` as a page shows it. */
  async function run(shown: readonly string[]): Promise<CommandResult> {
    const args: string[] = [];
    for (const word of shown) {
      const [, placeholder] = /^<([\w-]+)>$/.exec(word) ?? [];
      if (placeholder !== undefined) args.push(await valueFor(placeholder, [...args, ...shown]));
      else args.push(word === 'name' ? 'shop' : word);
    }
    // A key that was retired a moment ago is kept for backups, of which there are none here.
    if (args[1] === 'destroy') args.push('--force');
    return args.includes('-') ? unwriteReading(`${PERSON}\n`, ...args) : unwrite(...args);
  }

  return {
    ...installation,
    run,
    valueFor,
    server: () => server,
    credentials: () => credentials,
    completed: () => completed,
  };
}
