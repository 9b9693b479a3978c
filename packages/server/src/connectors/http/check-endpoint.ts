import { type CheckLine, TargetDown } from '../../domain/target/connector.ts';
import type { HttpTargetConfig } from '../../domain/target/target.ts';
import { callBody } from './call-body.ts';
import type { Endpoint } from './endpoint.ts';

/**
 * Checks which addresses the name resolves to, whether they may be reached, and whether the endpoint knows
 * the protocol.
 */
export async function checkEndpoint(
  config: HttpTargetConfig,
  endpoint: Endpoint,
): Promise<CheckLine[]> {
  const url = new URL(config.url);
  const lines: CheckLine[] = [];
  const add = (level: CheckLine['level'], subject: string, message: string) =>
    lines.push({ level, subject, message });

  if (config.auth.kind === 'none')
    add(
      'warning',
      'auth',
      'calls carry no credentials, so anyone who reaches the endpoint can erase; set bearer, basic or hmac',
    );
  if (config.verify === 'none')
    add(
      'note',
      'verify',
      'what the endpoint reports is trusted without a re-query; the evidence says so',
    );
  let isLocated = false;
  try {
    const addresses = await endpoint.locate();
    isLocated = true;
    add('ok', 'address', `${url.hostname} resolves to ${addresses.join(', ')}, which is allowed`);
    const answer = await endpoint.post(callBody('check', []));
    if (isReady(answer)) add('ok', 'endpoint', `${url.host} answered the check`);
    else add('problem', 'endpoint', `${url.host} must answer a check with {"ok":true}; it did not`);
  } catch (error) {
    if (!(error instanceof TargetDown)) throw error;
    add('problem', isLocated ? 'endpoint' : 'address', error.message);
  }
  return lines;
}

function isReady(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null) return false;
  const { ok, subjects } = answer as { ok?: unknown; subjects?: unknown };
  if (ok !== undefined) return ok === true;
  return Array.isArray(subjects) && subjects.length === 0;
}
