import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { identity, requestBody } from '../../../../protocol/test/helpers/request-body.ts';
import { call, getToken, postJson } from '../../helpers/http/api.ts';
import { useInstallation } from '../use-installation.ts';

const installation = useInstallation();
const { unwrite, json, client } = installation;
const DAY = 86_400_000;

const ids = { old: randomUUID(), shared: randomUUID().toUpperCase(), cancelled: randomUUID() };

beforeAll(async () => {
  const server = await installation.serve();
  const create = (id: string, token: string) => {
    const subject_identities = [identity('email', 'jane@example.com')];
    return postJson(
      `${server.url}/requests`,
      requestBody({ subject_request_id: id, subject_identities }),
      token,
    );
  };
  const acme = await getToken(await client('acme'));
  const globex = await getToken(await client('globex'));
  const answers = [
    await create(ids.old, acme),
    await create(ids.shared, acme),
    await create(ids.cancelled, acme),
    await create(ids.shared, globex),
    await call(`${server.url}/requests/${ids.cancelled}`, { method: 'DELETE', token: acme }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 202]);
  await installation.inStore(
    `UPDATE requests SET received_time = ${Date.now() - 8 * DAY}
     WHERE subject_request_id = '${ids.old}'`,
  );
});

async function listed(...flags: string[]): Promise<string[]> {
  const requests: { controller_id: string; subject_request_id: string }[] = await json(
    'request',
    'list',
    ...flags,
  );
  return requests.map((it) => `${it.controller_id} ${it.subject_request_id}`);
}

describe('unwrite request list', () => {
  it('prints all requests, newest first', async () => {
    expect(await listed()).toEqual([
      `globex ${ids.shared}`,
      `acme ${ids.cancelled}`,
      `acme ${ids.shared}`,
      `acme ${ids.old}`,
    ]);
  });

  it('filters by controller, status and age, one by one and together', async () => {
    expect(await listed('--controller', 'globex')).toEqual([`globex ${ids.shared}`]);
    expect(await listed('--status', 'cancelled')).toEqual([`acme ${ids.cancelled}`]);
    expect(await listed('--older-than', '7d')).toEqual([`acme ${ids.old}`]);
    expect(await listed('--newer-than', '7d')).toHaveLength(3);
    expect(await listed('--older-than', '9d')).toEqual([]);
    const both = ['--controller', 'acme', '--status', 'pending', '--newer-than', '1h'];
    expect(await listed(...both)).toEqual([`acme ${ids.shared}`]);
  });

  it('stops at a limit', async () => {
    expect(await listed('--limit', '2')).toHaveLength(2);
  });

  it('prints a table for people', async () => {
    const { stdout } = await unwrite('request', 'list', '--status', 'cancelled');
    expect(stdout).toMatch(/^CONTROLLER_ID +SUBJECT_REQUEST_ID +STATUS/);
    expect(stdout).toContain(`acme           ${ids.cancelled}  cancelled`);
  });

  it('says that there is no such controller', async () => {
    const { exitCode, stderr } = await unwrite('request', 'list', '--controller', 'nobody');
    expect([exitCode, stderr]).toEqual([1, 'unwrite: there is no controller nobody\n']);
  });
});

describe('unwrite request show', () => {
  it('prints a request and its history, whatever the case of the id', async () => {
    const shown = await json('request', 'show', ids.cancelled.toUpperCase());
    expect(shown).toMatchObject({
      controller_id: 'acme',
      subject_request_id: ids.cancelled,
      request_status: 'cancelled',
      regulation: 'gdpr',
      identities: 1,
      history: [
        { action: 'request.created', actor: expect.stringMatching(/^client:/) },
        { action: 'request.cancelled', actor: expect.stringMatching(/^client:/) },
      ],
    });
    expect(Date.parse(shown.expected_completion_time) - Date.parse(shown.received_time)).toBe(
      30 * DAY,
    );
  });

  it('prints it for people too', async () => {
    const { stdout } = await unwrite('request', 'show', ids.cancelled);
    expect(stdout).toMatch(/request_status +cancelled/);
    expect(stdout).toMatch(/request\.cancelled +client:/);
  });

  it('asks for the controller when several use the id', async () => {
    const { exitCode, stderr } = await unwrite('request', 'show', ids.shared);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('several controllers use this id (acme, globex); add --controller');
    const shown = await json('request', 'show', ids.shared, '--controller', 'globex');
    expect(shown).toMatchObject({ controller_id: 'globex', subject_request_id: ids.shared });
  });

  it('says that there is no such request', async () => {
    const id = randomUUID();
    const none = await unwrite('request', 'show', id);
    expect([none.exitCode, none.stderr]).toEqual([1, `unwrite: there is no request ${id}\n`]);
    const other = await unwrite('request', 'show', ids.old, '--controller', 'globex');
    expect(other.exitCode).toBe(1);
  });
});

it('no request command ever prints an identity', async () => {
  const outputs = await Promise.all([
    unwrite('request', 'list'),
    unwrite('request', 'list', '--json'),
    unwrite('request', 'show', ids.old),
    unwrite('request', 'show', ids.old, '--json'),
  ]);
  for (const { exitCode, stdout, stderr } of outputs) {
    expect(exitCode).toBe(0);
    expect(stdout).toContain(ids.old);
    expect(stdout + stderr).not.toContain('jane');
  }
});
