import { describe, expect, it } from 'vitest';
import { useInstallation } from '../use-installation.ts';

const { unwrite, json, client, options } = useInstallation();
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

describe('unwrite controller', () => {
  it('create makes a controller, once', async () => {
    const args = ['controller', 'create', 'initech', '--name', 'Initech Inc'];
    expect(await json(...args, '--sso-organisation', 'org_1')).toEqual({
      controller_id: 'initech',
      name: 'Initech Inc',
      sso_organisation: 'org_1',
      created_time: ISO,
      closed_time: null,
    });
    const again = await unwrite(...args);
    expect(again.exitCode).toBe(1);
    expect(again.stderr).toBe('unwrite: controller initech exists already\n');
  });

  it('create refuses an organisation that another controller has', async () => {
    await json('controller', 'create', 'umbrella', '--sso-organisation', 'org_2');
    const result = await unwrite('controller', 'create', 'other', '--sso-organisation', 'org_2');
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain('recorded for controller umbrella already');
  });

  it.each(['Acme', 'a b', '-acme', '../x', 'x'.repeat(65)])('create refuses %j', async (id) => {
    const { exitCode, stderr } = await unwrite('controller', 'create', '--', id);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('a controller id has 1 to 64 characters');
  });

  it('create refuses an organisation that is called like another controller', async () => {
    await json('controller', 'create', 'wayne');
    const result = await unwrite('controller', 'create', 'joker', '--sso-organisation', 'wayne');
    expect([result.exitCode, result.stderr]).toEqual([
      1,
      'unwrite: there is a controller wayne already\n',
    ]);
  });

  it('update changes what is given, and removes what is given empty', async () => {
    await json('controller', 'create', 'stark', '--name', 'Stark', '--sso-organisation', 'org_3');
    const update = ['controller', 'update', 'stark'];
    expect(await json(...update, '--sso-organisation', 'org_4')).toMatchObject({
      name: 'Stark',
      sso_organisation: 'org_4',
    });
    expect(await json(...update, '--name', '')).toMatchObject({ name: null });
    const idle = await unwrite(...update);
    expect([idle.exitCode, idle.stderr]).toEqual([
      1,
      'unwrite: nothing to change: give --name or --sso-organisation\n',
    ]);
    const unknown = await unwrite('controller', 'update', 'nobody', '--name', 'x');
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      1,
      'unwrite: there is no controller nobody\n',
    ]);
  });

  it('list and show print controllers, for people and for scripts', async () => {
    await json('controller', 'create', 'hooli');
    const { client_id } = await client('hooli');
    expect((await unwrite('controller', 'list')).stdout).toMatch(/^CONTROLLER_ID +NAME.*^hooli /ms);
    expect(await json('controller', 'list')).toContainEqual(
      expect.objectContaining({ controller_id: 'hooli' }),
    );
    expect(await json('controller', 'show', 'hooli')).toMatchObject({ clients: [client_id] });
    expect((await unwrite('controller', 'show', 'hooli')).stdout).toContain(client_id);
  });

  it('show says that there is no such controller', async () => {
    expect(await unwrite('controller', 'show', 'nobody')).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'unwrite: there is no controller nobody\n',
    });
  });
});

describe('unwrite client', () => {
  it('create adds the controller if it is new and prints exactly what a controller needs', async () => {
    const credentials = await client('acme');
    const url = `http://localhost:${options().port}`;
    expect(credentials).toEqual({
      controller_id: 'acme',
      client_id: expect.stringMatching(/^[\w-]{8,}$/),
      client_secret: expect.stringMatching(/^[\w-]{43,}$/),
      audience: url,
      token_url: `${url}/oauth/token`,
      base_url: url,
    });
    expect((await client('acme')).client_id).not.toBe(credentials.client_id);
  });

  it('create works when several operators do it at once', async () => {
    const made = await Promise.all(Array.from({ length: 3 }, () => client('at-once')));
    expect(new Set(made.map(({ client_id }) => client_id)).size).toBe(3);
    expect((await json('controller', 'show', 'at-once')).clients).toHaveLength(3);
  });

  it('create says for people that the secret is not shown again', async () => {
    const { stdout } = await unwrite('client', 'create', '--controller', 'soylent', '--name', 'CI');
    expect(stdout).toMatch(/^Created controller soylent\.\n.*client_secret +[\w-]{43}/s);
    expect(stdout).toContain('not shown again');
  });

  it('list prints clients, of one controller or of all, and never a secret', async () => {
    const { client_id, client_secret } = await client('vandelay');
    const { stdout } = await unwrite('client', 'list', '--controller', 'vandelay');
    expect(stdout.split('\n')[1]).toMatch(new RegExp(`^${client_id} +vandelay`));
    expect(stdout).not.toContain(client_secret);
    const all: { controller_id: string }[] = await json('client', 'list');
    expect(new Set(all.map(({ controller_id }) => controller_id)).size).toBeGreaterThan(1);
    expect(await json('client', 'list', '--controller', 'vandelay')).toEqual([
      { client_id, controller_id: 'vandelay', name: null, created_time: ISO, revoked_time: null },
    ]);
  });

  it.each(['nobody', 'No Body'])('list says that there is no controller %j', async (id) => {
    const { exitCode, stderr } = await unwrite('client', 'list', '--controller', id);
    expect([exitCode, stderr]).toEqual([1, `unwrite: there is no controller ${id}\n`]);
  });

  it('revoke refuses a client that is revoked already', async () => {
    const { client_id } = await client('acme');
    expect(await json('client', 'revoke', client_id)).toEqual({ client_id, revoked: true });
    const again = await unwrite('client', 'revoke', client_id);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      `unwrite: client ${client_id} is revoked already\n`,
    ]);
    const listed: { client_id: string }[] = await json('client', 'list');
    expect(listed.find((it) => it.client_id === client_id)).toMatchObject({ revoked_time: ISO });
  });

  it.each([
    [['client', 'revoke', 'nobody']],
    [['client', 'secret', 'add', 'nobody']],
    [['client', 'secret', 'list', 'nobody']],
    [['client', 'secret', 'revoke', 'nobody', 'x']],
    [['token', 'nobody']],
  ])('%j says that there is no such client', async (args) => {
    const { exitCode, stderr } = await unwrite(...args, '--json');
    expect(exitCode).toBe(1);
    expect(JSON.parse(stderr)).toEqual({ error: { message: 'there is no client nobody' } });
  });
});

describe('unwrite client secret', () => {
  it('add, list and revoke', async () => {
    const { client_id } = await client('acme');
    const added = await json('client', 'secret', 'add', client_id);
    expect(Object.keys(added)).toEqual(['client_id', 'secret_id', 'client_secret']);
    const secrets = await json('client', 'secret', 'list', client_id);
    expect(secrets).toHaveLength(2);
    expect(JSON.stringify(secrets)).not.toContain(added.client_secret);
    await json('client', 'secret', 'revoke', client_id, added.secret_id);
    const again = await unwrite('client', 'secret', 'revoke', client_id, added.secret_id);
    expect([again.exitCode, again.stderr]).toEqual([
      1,
      `unwrite: secret ${added.secret_id} is revoked already\n`,
    ]);
  });

  it("revoke does not touch another client's secret", async () => {
    const [one, other] = [await client('acme'), await client('globex')];
    const [secret] = await json('client', 'secret', 'list', other.client_id);
    const result = await unwrite('client', 'secret', 'revoke', one.client_id, secret.secret_id);
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain(`client ${one.client_id} has no secret`);
  });

  it('add stops at five usable ones, and at a revoked client', async () => {
    const { client_id } = await client('acme');
    for (let n = 0; n < 4; n++) await json('client', 'secret', 'add', client_id);
    const tooMany = await unwrite('client', 'secret', 'add', client_id);
    expect([tooMany.exitCode, tooMany.stderr]).toEqual([
      1,
      `unwrite: client ${client_id} has 5 secrets already; revoke one first\n`,
    ]);
    await json('client', 'revoke', client_id);
    expect((await unwrite('client', 'secret', 'add', client_id)).stderr).toContain('is revoked');
  });
});
