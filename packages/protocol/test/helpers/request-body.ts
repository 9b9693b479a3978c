import { randomUUID } from 'node:crypto';

/** A valid body of POST /requests; what a test is about is given by the test. */
export function requestBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    regulation: 'gdpr',
    subject_request_id: randomUUID(),
    subject_request_type: 'erasure',
    // A fixed day would be past its statutory deadline a month later, and raise alarms.
    submitted_time: new Date(Date.now() - 60_000).toISOString(),
    subject_identities: [identity('email', 'jane@example.com')],
    ...changes,
  };
}

export function identity(type: string, value: unknown): Record<string, unknown> {
  return { identity_type: type, identity_value: value, identity_format: 'raw' };
}
