import { hostAndPort } from '../domain/host-and-port.ts';
import { CallFailed } from './call-failed.ts';

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ISSUER|CRL/;

/** A message in our own words: an error of the connection may quote what was sent or received. */
export function connectionFailure(error: unknown, url: URL): CallFailed {
  if (error instanceof CallFailed) return error;
  const code = codeOf(error);
  const host = namedIn(url);
  if (CERTIFICATE.test(code))
    return new CallFailed(
      'certificate_refused',
      `${host} has a certificate that this machine does not trust (${code}); fix the certificate, or name its authority in NODE_EXTRA_CA_CERTS`,
    );
  if (code.startsWith('HPE_'))
    return new CallFailed('bad_answer', `${host} does not speak HTTP (${code})`);
  return new CallFailed(
    'unreachable',
    `${host} cannot be reached (${code || 'no reason given'}); check that it runs, and the address`,
  );
}

/** The port is named even if it is the default one: a firewall may block it. */
function namedIn(url: URL): string {
  return hostAndPort(url.origin, url.protocol === 'https:' ? 443 : 80) ?? url.host;
}

export function lateAnswer(url: URL): CallFailed {
  return new CallFailed('timeout', `${namedIn(url)} did not answer in time`);
}

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && CODE.test(code) ? code : '';
}
