// AWS Signature Version 4, as S3 and what is compatible with it expect it.
import { createHash, createHmac } from 'node:crypto';
import type { S3Account } from '../../domain/target/called-targets.ts';

export interface ToSign {
  readonly method: string;
  readonly url: URL;
  /** In small letters; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** The headers, and those that sign them. */
export function signRequest(
  { method, url, headers, body }: ToSign,
  { region, accessKey, secretKey, sessionToken }: S3Account,
  time: Date,
): Record<string, string> {
  const at = time.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
  const day = at.slice(0, 8);
  const bodyHash = sha256(body);
  const signed: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': at,
    ...(sessionToken !== null && { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(signed).sort();
  const canonical = [
    method,
    url.pathname,
    [...url.search.slice(1).split('&')].filter(Boolean).sort().join('&'),
    ...names.map((name) => `${name}:${signed[name]?.trim()}`),
    '',
    names.join(';'),
    bodyHash,
  ].join('\n');
  const scope = `${day}/${region}/s3/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', at, scope, sha256(Buffer.from(canonical))].join('\n');
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`);
  const signature = hmac(key, text).toString('hex');
  return {
    ...signed,
    authorization: `AWS4-HMAC-SHA256 Credential=${accessKey}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** A query as it is signed: everything but letters, digits and -_.~ is escaped. */
export function queryOf(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${escapeAll(name)}=${escapeAll(value)}`)
    .sort()
    .join('&');
}

function escapeAll(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex');
const hmac = (key: string | Buffer, text: string) =>
  createHmac('sha256', key).update(text).digest();
