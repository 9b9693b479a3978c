// A bucket of a store that speaks S3. Keys are never in a path: they are listed by a parameter and deleted by a body.
import { createHash } from 'node:crypto';
import { type KeyRow, TargetDown } from '../../domain/target/connector.ts';
import type { S3TargetConfig } from '../../domain/target/target.ts';
import { CallFailed } from '../../outbound/call-failed.ts';
import { connectionFailure, lateAnswer } from '../../outbound/connection-failure.ts';
import { exchange } from '../../outbound/exchange.ts';
import { keepConnections } from '../../outbound/kept-connections.ts';
import { createAddressRule, type Lookup, lookUp } from '../../outbound/reachable-addresses.ts';
import { readBytes } from '../../outbound/read-bytes.ts';
import { withDeadline } from '../../outbound/with-deadline.ts';
import { CannotDeal } from '../objects-connector.ts';
import { queryOf, signRequest } from './sign-request.ts';
import { elementsOf, escapeXml, textOf } from './xml.ts';

const MAX_BYTES = 16 << 20;
/** Of one call to delete. */
const MAX_DELETED = 1000;
const MAX_PAGES = 1000;
/** Codes of single objects that say nothing about a right: another attempt ends them, or the second look. */
const NOT_NOW = new Set(['InternalError', 'ServiceUnavailable', 'SlowDown', 'OperationAborted']);
const GONE = new Set(['NoSuchKey', 'NoSuchVersion']);

export interface Bucket {
  readonly host: string;
  /** Versions and delete markers, each as its key and its version; or objects, where no versions are kept. */
  list(prefix: string): Promise<KeyRow[]>;
  /** Codes of those that the store refuses to delete. */
  remove(keys: readonly KeyRow[]): Promise<string[]>;
  /** Whether the store says that it keeps versions; undefined if it does not know such a thing. */
  keepsVersions(): Promise<boolean | undefined>;
  close(): void;
}

export function createBucket(config: S3TargetConfig, lookup: Lookup = lookUp): Bucket {
  const { account, hasVersions, timeout, allowPrivate } = config;
  const address = new URL(config.url);
  const { host } = address;
  const rule = createAddressRule(address, { allowPrivate, setting: 'allow_private of the target' });
  const kept = keepConnections(address);
  const closing = new AbortController();

  async function send(method: 'GET' | 'POST', parameters: Record<string, string>, text = '') {
    const url = new URL(`${address.origin}${address.pathname}?${queryOf(parameters)}`);
    const body = Buffer.from(text);
    const sent = {
      'accept-encoding': 'identity',
      'user-agent': 'unwrite',
      ...(method === 'POST' && {
        'content-md5': createHash('md5').update(body).digest('base64'),
        'content-type': 'application/xml',
      }),
    };
    const headers = signRequest({ method, url, headers: sent, body }, account, new Date());
    const read: Parameters<typeof exchange>[0]['read'] = (response) =>
      readBytes(response, host, MAX_BYTES);
    try {
      const answer = await withDeadline(
        timeout,
        closing.signal,
        () => lateAnswer(url),
        (signal) =>
          exchange(
            { method, url, headers, body, read, readsAll: true, kept, signal },
            rule,
            lookup,
          ),
      );
      return { status: answer.status, xml: Buffer.from(answer.body).toString() };
    } catch (error) {
      const { code, message } = connectionFailure(error, url);
      throw new TargetDown(code, message);
    }
  }

  async function ask(method: 'GET' | 'POST', parameters: Record<string, string>, text?: string) {
    const { status, xml } = await send(method, parameters, text);
    if (status !== 200) throw refusalOf(status, codeIn(xml), host);
    return xml;
  }

  async function page(prefix: string, after: Record<string, string>): Promise<Page> {
    if (!hasVersions) {
      const xml = await ask('GET', { 'list-type': '2', prefix, ...after });
      const token = textOf(xml, 'NextContinuationToken');
      return {
        keys: elementsOf(listed(xml, 'ListBucketResult'), 'Contents').map((one) => [
          keyIn(one),
          null,
        ]),
        next: isTruncated(xml) ? { 'continuation-token': token ?? '' } : undefined,
      };
    }
    const xml = await ask('GET', { versions: '', prefix, ...after });
    const all = listed(xml, 'ListVersionsResult');
    const found = ['Version', 'DeleteMarker'].flatMap((name) => elementsOf(all, name));
    const [key, version] = [textOf(xml, 'NextKeyMarker'), textOf(xml, 'NextVersionIdMarker')];
    return {
      keys: found.map((one) => [keyIn(one), textOf(one, 'VersionId') ?? 'null']),
      next: isTruncated(xml)
        ? { 'key-marker': key ?? '', ...(version && { 'version-id-marker': version }) }
        : undefined,
    };
  }

  /** An answer without the list that was asked for is no list without objects. */
  function listed(xml: string, name: string): string {
    if (!xml.includes(`<${name}`))
      throw new TargetDown(
        'bad_answer',
        `${host} answered 200 without a list of objects; is it S3?`,
      );
    return xml;
  }

  function keyIn(xml: string): string {
    const key = textOf(xml, 'Key');
    if (!key) throw new TargetDown('bad_answer', `${host} listed an object without a key`);
    return key;
  }

  return {
    host,
    async list(prefix) {
      const keys: KeyRow[] = [];
      let after: Record<string, string> | undefined = {};
      for (let pages = 0; after !== undefined; pages++) {
        if (pages === MAX_PAGES)
          throw new TargetDown('bad_answer', `${host} lists objects of one person without end`);
        const { keys: more, next }: Page = await page(prefix, after);
        if (!more.every(([key]) => key?.startsWith(prefix)))
          throw new CannotDeal({
            outcome: 'failed',
            code: 'bad_answer',
            detail: `${host} lists objects that do not begin with what was asked for; nothing is deleted by such a list`,
          });
        keys.push(...more);
        after = next;
      }
      return keys;
    },
    async remove(keys) {
      const refused: string[] = [];
      for (let at = 0; at < keys.length; at += MAX_DELETED) {
        const some = keys.slice(at, at + MAX_DELETED);
        const xml = await ask('POST', { delete: '' }, deletionOf(some));
        if (!xml.includes('<DeleteResult'))
          throw new TargetDown('bad_answer', `${host} does not say what it has deleted`);
        const codes = elementsOf(xml, 'Error').map(codeIn);
        const again = codes.find((code) => NOT_NOW.has(code));
        if (again !== undefined)
          throw new TargetDown('http_503', `${host} could not delete everything now (${again})`);
        refused.push(...codes.filter((code) => !GONE.has(code)));
      }
      return refused;
    },
    async keepsVersions() {
      const { status, xml } = await send('GET', { versioning: '' });
      if (status === 200) return textOf(xml, 'Status') !== undefined;
      if (status === 403 || status >= 500) throw refusalOf(status, codeIn(xml), host);
      return undefined;
    },
    close() {
      closing.abort(
        new CallFailed('closed', `calls to ${host} were aborted: Unwrite is shutting down`),
      );
      kept.close();
    },
  };
}

interface Page {
  readonly keys: KeyRow[];
  readonly next: Record<string, string> | undefined;
}

const isTruncated = (xml: string) => textOf(xml, 'IsTruncated') === 'true';

function deletionOf(keys: readonly KeyRow[]): string {
  const objects = keys.map(([key, version]) => {
    const id =
      version === null || version === undefined
        ? ''
        : `<VersionId>${escapeXml(version)}</VersionId>`;
    return `<Object><Key>${escapeXml(key ?? '')}</Key>${id}</Object>`;
  });
  return `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${objects.join('')}<Quiet>true</Quiet></Delete>`;
}

/** A word of the store's, such as AccessDenied; nothing else that it says is used. */
function codeIn(xml: string): string {
  const code = textOf(xml, 'Code') ?? '';
  return /^[A-Za-z0-9]{1,60}$/.test(code) ? code : 'no code';
}

function refusalOf(status: number, code: string, host: string): TargetDown {
  if (status === 403 || status === 401)
    return new TargetDown(
      'auth_refused',
      `${host} refused the call (${code}); correct access_key, secret_key and region, or give the account the rights that docs/targets-s3.md lists`,
    );
  if (status === 404)
    return new TargetDown('http_404', `${host} has no such bucket (${code}); correct url`);
  if (status >= 300 && status < 400)
    return new TargetDown(
      'redirected',
      `${host} redirects (${status}); is the bucket in another region?`,
    );
  if (code === 'SlowDown' || status === 429)
    return new TargetDown('rate_limited', `${host} is limiting the rate of calls (${status})`);
  return new TargetDown(
    `http_${status}`,
    `${host} answered ${status} (${code}); a server that cannot list versions needs versions: false`,
  );
}
