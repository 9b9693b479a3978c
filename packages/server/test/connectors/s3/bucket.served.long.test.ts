// The s3 connector on a server that keeps versions: on a virtual clock, over real HTTP, the whole bucket compared before and after.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createS3Connector } from '../../../src/connectors/s3/create-s3-connector.ts';
import { queryOf, signRequest } from '../../../src/connectors/s3/sign-request.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { S3TargetConfig } from '../../../src/domain/target/target.ts';
import { s3Target, useWrittenTargets } from '../../config/targets/written-targets.ts';
import { type BatchWorld, openBatchWorld } from '../../fulfilment/batch-world.ts';
import { runMoto } from '../../helpers/servers/run-moto.ts';
import { makeServerFolder, type RunningServer } from '../../helpers/servers/server-program.ts';
import type { TemporaryFolder } from '../../helpers/temporary-folder.ts';

const ACCOUNT = { region: 'us-east-1', accessKey: 'A', secretKey: 's', sessionToken: null };
const NASTY = `ü & <b>"'+%20 x?#.txt`;

let folder: TemporaryFolder;
let server: RunningServer;
let world: BatchWorld;
let bucket = 'none';
let target: S3TargetConfig;
const written = useWrittenTargets();

beforeAll(async () => {
  folder = makeServerFolder();
  server = await runMoto(folder.path, process.env.UNWRITE_TEST_S3_FOLDER ?? '');
});
afterAll(async () => {
  await server.stop();
  folder.remove();
});

async function call(
  method: string,
  key = '',
  query: Record<string, string> = {},
  text = '',
  more: Record<string, string> = {},
) {
  const path = [bucket, ...(key === '' ? [] : key.split('/'))].map(encodeURIComponent).join('/');
  const url = new URL(`${server.url}/${path}?${queryOf(query)}`);
  const body = Buffer.from(text);
  const md5 = createHash('md5').update(body).digest('base64');
  const headers = signRequest(
    { method, url, headers: { 'content-md5': md5, ...more }, body },
    ACCOUNT,
    new Date(),
  );
  const answer = await fetch(url, { method, headers, ...(text !== '' && { body }) });
  const said = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${key}: ${answer.status} ${said}`);
  return said;
}

/** All that the bucket has, as the server lists it. */
async function dump(): Promise<string[]> {
  const xml = await call('GET', '', { versions: '', 'max-keys': '5000' });
  return [...xml.matchAll(/<Key>(.*?)<\/Key>|<(DeleteMarker)>/gs)].map(
    ([, key, marker]) => key ?? marker ?? '',
  );
}

async function makeBucket(name: string, { hasVersions = true } = {}) {
  bucket = name;
  await call('PUT', '', {}, '');
  if (hasVersions)
    await call(
      'PUT',
      '',
      { versioning: '' },
      '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>',
    );
}

async function use(fields: object = {}) {
  target = written.one<'s3'>(
    s3Target({
      url: `${server.url}/${bucket}`,
      allow_private: ['127.0.0.1'],
      objects: {
        files: 'users/{controller_customer_id}/',
        photo: 'photos/{controller_customer_id}.jpg',
      },
      ...fields,
    }),
  );
  world = await openBatchWorld([target]);
}

async function erase(id: string) {
  const identities = [new Identity('controller_customer_id', id)];
  const request = await world.erasureOf([], { identities });
  const connector = createS3Connector(target);
  await world.createRun(world.under.store, async () => connector)(
    await world.scene.lease(target.name),
    target,
  );
  await connector.close();
  return world.scene.task(request, target.name);
}

describe('a bucket with versions', () => {
  beforeEach(async () => {
    await makeBucket(`bucket-${Math.random().toString(36).slice(2)}`);
    for (const key of ['users/1/a.txt', 'users/1/a.txt', `users/1/${NASTY}`, 'photos/1.jpg'])
      await call('PUT', key, {}, `content of ${key}`);
    for (const key of [
      'users/10/a.txt',
      'users/1',
      'users/1.bak/a.txt',
      'photos/1.jpg.bak',
      'photos/11.jpg',
      'others/1/a',
    ])
      await call('PUT', key, {}, 'of another person');
    await call('DELETE', 'users/1/a.txt');
    await use();
  });

  it('loses every version and marker of the person, and nothing else', async () => {
    const others = (await dump()).filter(
      (key) => !/^users\/1\/|^photos\/1\.jpg$|DeleteMarker/.test(key),
    );
    expect(others).toHaveLength(6);
    const { state, evidence } = await erase('1');
    expect(state).toBe('erased');
    expect(evidence).toMatchObject({
      tables: { files: { action: 'erase', rows: 4 }, photo: { action: 'erase', rows: 1 } },
      verified: 'requeried',
    });
    expect(await dump()).toEqual(others);
    expect((await erase('2')).evidence).toMatchObject({ action: 'not_found' });
    expect(await dump()).toEqual(others);
  });

  it('is not searched by an identity that would lead into the folder of another person', async () => {
    await call('PUT', 'users/7/x/a.txt', {}, 'of 7');
    const before = await dump();
    expect(await erase('7/x')).toMatchObject({ state: 'held', reason: 'no_usable_identity' });
    expect(await dump()).toEqual(before);
  });

  it('is not taken for one without', async () => {
    await use({ versions: false });
    const before = await dump();
    expect(await erase('1')).toMatchObject({ state: 'waiting', reason: 'plan_misfit' });
    expect(await dump()).toEqual(before);
  });

  it('keeps what is locked, and the task is held until that has ended', async () => {
    bucket = 'locked';
    await call('PUT', '', {}, '', { 'x-amz-bucket-object-lock-enabled': 'true' });
    await call('PUT', 'users/1/a.txt', {}, 'free');
    await call('PUT', 'users/1/b.txt', {}, 'locked', {
      'x-amz-object-lock-mode': 'COMPLIANCE',
      'x-amz-object-lock-retain-until-date': '2999-01-01T00:00:00Z',
    });
    await use();
    expect(await erase('1')).toMatchObject({ state: 'held', reason: 'refused_elsewhere' });
    expect(await dump()).toEqual(['users/1/b.txt']);
  });

  it('may have more objects of a person than a page or a call takes', async () => {
    for (let no = 0; no < 1020; no++) await call('PUT', `users/3/${no}`, {}, 'x');
    await use({ max_rows_per_subject: 5000 });
    const before = (await dump()).filter((key) => !key.startsWith('users/3/'));
    expect((await erase('3')).evidence).toMatchObject({ tables: { files: { rows: 1020 } } });
    expect(await dump()).toEqual(before);
  });
});

describe('a bucket without versions', () => {
  it.each([true, false])('loses the objects (versions: %s)', async (versions) => {
    await makeBucket(`plain-${versions}`, { hasVersions: false });
    for (const key of ['users/1/a.txt', 'users/10/a.txt']) await call('PUT', key, {}, 'x');
    await use({ versions });
    expect((await erase('1')).evidence).toMatchObject({ tables: { files: { rows: 1 } } });
    expect(await dump()).toEqual(['users/10/a.txt']);
  });
});

describe('the check', () => {
  const problems = async () =>
    (await createS3Connector(target).check()).flatMap(({ level, message }) =>
      level === 'problem' ? [message] : [],
    );

  it('finds nothing wrong with a bucket that can be listed', async () => {
    await makeBucket('checked');
    await use();
    expect(await problems()).toEqual([]);
  });

  it('says that there is no such bucket', async () => {
    bucket = 'nowhere';
    await use();
    expect(await problems()).toEqual([
      expect.stringMatching(/has no such bucket \(NoSuchBucket\); correct url/),
    ]);
  });
});
