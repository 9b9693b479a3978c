// What a controller does: take a token, submit requests, ask for their status.
import { randomUUID } from 'node:crypto';

export interface Credentials {
  readonly client_id: string;
  readonly client_secret: string;
  readonly audience: string;
}

export interface Controller {
  /** Answers the id of the request. */
  /** `submittedTime`: when the person asked; now, where it is left out. */
  submit(email: string, submittedTime?: number): Promise<string>;
  cancel(id: string): Promise<void>;
  status(id: string): Promise<string>;
}

export async function createController(url: string, credentials: Credentials): Promise<Controller> {
  const answer = await fetch(`${url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...credentials, grant_type: 'client_credentials' }),
  });
  const { access_token: token } = (await answer.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };

  return {
    async submit(email, submittedTime = Date.now()) {
      const id = randomUUID();
      const created = await fetch(`${url}/requests`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          regulation: 'gdpr',
          subject_request_id: id,
          subject_request_type: 'erasure',
          submitted_time: new Date(submittedTime).toISOString(),
          subject_identities: [
            { identity_type: 'email', identity_value: email, identity_format: 'raw' },
          ],
        }),
      });
      if (created.status !== 201) throw new Error(`a request was answered ${created.status}`);
      return id;
    },
    async cancel(id) {
      const { status } = await fetch(`${url}/requests/${id}`, { method: 'DELETE', headers });
      if (status !== 202) throw new Error(`a cancellation was answered ${status}`);
    },
    async status(id) {
      const answer = await fetch(`${url}/requests/${id}`, { headers });
      const { request_status: status } = (await answer.json()) as { request_status: string };
      return status;
    },
  };
}
