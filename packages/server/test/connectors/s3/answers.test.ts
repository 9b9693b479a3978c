// What a store may answer. On a server that keeps versions: bucket.served.long.test.ts.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createS3Connector } from '../../../src/connectors/s3/create-s3-connector.ts';
import { Identity } from '../../../src/domain/request/identity.ts';
import type { Connector, Subject } from '../../../src/domain/target/connector.ts';
import { s3Target, useWrittenTargets } from '../../config/targets/written-targets.ts';

type Answer = readonly [status: number, body: string];

const written = useWrittenTargets();
let server: Server;
let connector: Connector;
let calls: { readonly url: string; readonly body: string }[];
let answer: (call: { readonly method: string; readonly query: URLSearchParams }) => Answer;

beforeEach(async () => {
  calls = [];
  server = createServer(async (request, response) => {
    const { method = '', url = '' } = request;
    calls.push({ url, body: await text(request) });
    const [status, body] = answer({ method, query: new URL(url, 'http://s3').searchParams });
    response.writeHead(status, { 'content-type': 'application/xml' });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  connector = createS3Connector(
    written.one<'s3'>(
      s3Target({
        url: `http://127.0.0.1:${port}/uploads`,
        allow_private: ['127.0.0.1'],
        objects: { files: 'u/{email}/' },
      }),
    ),
  );
});
afterEach(async () => {
  await connector.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const jane = {
  taskNo: 1,
  controllerId: 'acme',
  subjectRequestId: 'one',
  identities: [new Identity('email', "o'hara&co@example.com")],
} as unknown as Subject;
const KEY = "u/o'hara&co@example.com/1.txt";
const WRITTEN = 'u/o&apos;hara&#x26;co@example.com/1.txt';

const version = (id: string, key = WRITTEN) =>
  `<Version><Key>${key}</Key><VersionId>${id}</VersionId><Owner><ID>Key</ID></Owner></Version>`;
const listOf = (inside: string, more = '<IsTruncated>false</IsTruncated>') =>
  `<?xml version="1.0"?><ListVersionsResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${more}${inside}</ListVersionsResult>`;

const previewed = async () => (await connector.preview([jane]))[0];

it('lists every page, and reads keys as they are', async () => {
  const more =
    '<IsTruncated>true</IsTruncated><NextKeyMarker>k&amp;</NextKeyMarker><NextVersionIdMarker>v</NextVersionIdMarker>';
  answer = ({ query }) => [
    200,
    query.has('key-marker')
      ? listOf(`<DeleteMarker><Key>${WRITTEN}</Key><VersionId>2</VersionId></DeleteMarker>`)
      : listOf(version('1'), more),
  ];
  const found = await previewed();
  expect(found).toMatchObject({ outcome: 'found', counts: { files: 2 } });
  expect(found).toMatchObject({
    keys: {
      files: [
        [KEY, '1'],
        [KEY, '2'],
      ],
    },
  });
  expect(calls[1]?.url).toContain('key-marker=k%26');
  expect(calls[1]?.url).toContain('version-id-marker=v');
});

it('deletes by key and version, and holds what the store refuses', async () => {
  const order = { ...jane, keys: { files: [[KEY, '1']] }, counts: { files: 1 } };
  answer = ({ method }) =>
    method === 'GET'
      ? [200, listOf(version('1'))]
      : [
          200,
          `<DeleteResult><Error><Key>${WRITTEN}</Key><Code>AccessDenied</Code></Error></DeleteResult>`,
        ];
  const erased = await connector.erase([jane], { decide: () => [order], record: async () => true });
  expect(erased).toMatchObject([
    {
      outcome: 'held',
      reason: 'refused_elsewhere',
      detail: expect.stringMatching(/1 of 1 \(AccessDenied\)/),
    },
  ]);
  expect(JSON.stringify(erased)).not.toContain('hara');
  expect(calls.at(-1)?.body).toContain(
    '<Key>u/o&#39;hara&#38;co@example.com/1.txt</Key><VersionId>1</VersionId>',
  );
});

it.each<[string, Answer, string]>([
  [
    'refused credentials',
    [403, '<Error><Code>SignatureDoesNotMatch</Code></Error>'],
    'auth_refused',
  ],
  ['no such bucket', [404, '<Error><Code>NoSuchBucket</Code></Error>'], 'http_404'],
  ['another region', [301, ''], 'redirected'],
  ['too many calls', [503, '<Error><Code>SlowDown</Code></Error>'], 'rate_limited'],
  ['a server without versions', [501, '<Error><Code>NotImplemented</Code></Error>'], 'http_501'],
  ['a page for people', [200, '<html>Welcome</html>'], 'bad_answer'],
  [
    'an object without a key',
    [200, listOf('<Version><VersionId>1</VersionId></Version>')],
    'bad_answer',
  ],
])('%s stops the target, with nothing taken for absence', async (_, said, code) => {
  answer = () => said;
  await expect(previewed()).rejects.toMatchObject({ name: 'TargetDown', code });
});

it('a folder that is named like a single object is not left unseen', async () => {
  const { port } = server.address() as AddressInfo;
  const use = (objects: object) =>
    createS3Connector(
      written.one<'s3'>(
        s3Target({ url: `http://127.0.0.1:${port}/b`, allow_private: ['127.0.0.1'], objects }),
      ),
    );
  answer = () => [200, listOf(version('1'))];
  expect(await use({ files: 'u/{email}' }).preview([jane])).toMatchObject([
    { outcome: 'failed', code: 'plan_misfit', detail: expect.stringContaining('end it with "/"') },
  ]);
  expect(await use({ files: 'u/{email}', more: 'u/{email}/' }).preview([jane])).toMatchObject([
    { outcome: 'found', counts: { more: 1 } },
  ]);
});

it('objects that are not below the prefix are nobody’s here', async () => {
  answer = () => [200, listOf(version('1', 'u/john@example.com/1.txt'))];
  expect(await previewed()).toMatchObject({ outcome: 'failed', code: 'bad_answer' });
});

it.each([
  ['a folder of its own', 'u/{controller_customer_id}/', '..'],
  ['the letter k', 'u/{controller_customer_id|lower}/', '\u212Aelvin'],
  ['the letter i', 'u/{controller_customer_id|upper}/', '\u0131an'],
])('an identity that would become %s is held', async (_, key, value) => {
  connector = createS3Connector(written.one<'s3'>(s3Target({ objects: { files: key } })));
  const person = { ...jane, identities: [new Identity('controller_customer_id', value)] };
  expect(await connector.preview([person])).toMatchObject([
    { outcome: 'held', reason: 'no_usable_identity' },
  ]);
});

it.each([
  ['gone by now, which the second look decides', 'NoSuchVersion', { outcome: 'erased' }],
  ['not deleted this time', 'InternalError', { outcome: 'failed', code: 'http_503' }],
])('what is %s needs no operator', async (_, code, outcome) => {
  const order = { ...jane, keys: { files: [[KEY, '1']] }, counts: { files: 1 } };
  answer = ({ method }) =>
    method === 'GET'
      ? [200, listOf(version('1'))]
      : [200, `<DeleteResult><Error><Key>k</Key><Code>${code}</Code></Error></DeleteResult>`];
  const erased = await connector.erase([jane], { decide: () => [order], record: async () => true });
  expect(erased).toMatchObject([outcome]);
});
