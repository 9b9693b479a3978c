// The first start on an empty store: creates a controller for trying things out, and prints the commands to
// paste.
import { randomUUID } from 'node:crypto';
import type { Installation } from '../../app/installation.ts';
import { createProvision } from '../../auth/provision.ts';
import type { Config } from '../../config/config.ts';
import { clientCredentials } from '../client/credentials.ts';
import { printLines } from '../shared/output.ts';

export async function welcome(config: Config, { store }: Installation): Promise<void> {
  if ((await store.tenants.controllers()).length > 0) {
    printLines(
      '',
      `Unwrite is ready at ${config.publicUrl} (API docs: ${config.publicUrl}/docs)`,
      '',
    );
    return;
  }
  const { clientId, secret } = await createProvision(store, 'system').client('demo', 'Demo');
  const credentials = clientCredentials(config, 'demo', clientId, secret);
  const id = randomUUID();
  const { base_url: base, token_url: tokenUrl } = credentials;
  const tokenBody = JSON.stringify({
    client_id: clientId,
    client_secret: secret,
    audience: credentials.audience,
    grant_type: 'client_credentials',
  });
  const requestBody = JSON.stringify({
    regulation: 'gdpr',
    subject_request_id: id,
    subject_request_type: 'erasure',
    submitted_time: new Date().toISOString(),
    subject_identities: [
      { identity_type: 'email', identity_value: 'jane@example.com', identity_format: 'raw' },
    ],
  });
  printLines(
    '',
    `Unwrite is ready at ${base}`,
    '',
    'The store was empty, so a controller "demo" was made. Its credentials, shown this once:',
    '',
    ...Object.entries(credentials).map(([name, value]) => `  ${name.padEnd(13)}  ${value}`),
    '',
    'Try it, line by line, in another terminal:',
    '',
    '# a token',
    `TOKEN=$(curl -s ${tokenUrl} -H 'Content-Type: application/json' -d '${tokenBody}' | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    '# discovery: what is supported',
    `curl -s ${base}/discovery -H "Authorization: Bearer $TOKEN"`,
    '# create: submit an erasure request',
    `curl -s ${base}/requests -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '${requestBody}'`,
    '# status',
    `curl -s ${base}/requests/${id} -H "Authorization: Bearer $TOKEN"`,
    '# cancel',
    `curl -s -X DELETE ${base}/requests/${id} -H "Authorization: Bearer $TOKEN"`,
    '',
    `API docs: ${base}/docs`,
    '',
  );
}
