import { TargetDown } from '../../domain/target/connector.ts';

const CODE = /^[A-Z][A-Z0-9_]{1,60}$/;
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|ISSUER|CRL/;

/** In our words: an error of the connection may quote what was sent or answered. */
export function connectionFailure(error: unknown, host: string): TargetDown {
  if (error instanceof TargetDown) return error;
  const code = codeOf(error);
  if (CERTIFICATE.test(code))
    return new TargetDown(
      'certificate_refused',
      `${host} has no certificate that this machine trusts (${code}); mend it, or name its authority in NODE_EXTRA_CA_CERTS`,
    );
  if (code.startsWith('HPE_'))
    return new TargetDown('bad_answer', `${host} does not answer in HTTP (${code})`);
  return new TargetDown(
    'unreachable',
    `${host} cannot be reached (${code || 'no reason given'}); look whether it runs, and at url of the target`,
  );
}

export function lateAnswer(host: string): TargetDown {
  return new TargetDown('timeout', `${host} did not answer within the target's timeout`);
}

function codeOf(error: unknown): string {
  const code: unknown = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && CODE.test(code) ? code : '';
}
