// The four endpoints as one controller calls them.

import type { TestService } from '../servers/service.ts';
import { type Answer, call, postJson } from './api.ts';
import { requestBody } from './request-body.ts';

export interface TestController {
  readonly token: string;
  discovery(): Promise<Answer>;
  /** `body` is sent as it is when it is text or bytes. */
  create(body: unknown): Promise<Answer>;
  /** Creates a valid request and gives its id. */
  created(changes?: Record<string, unknown>): Promise<string>;
  status(subjectRequestId: unknown): Promise<Answer>;
  cancel(subjectRequestId: unknown): Promise<Answer>;
}

export async function makeController(
  service: TestService,
  controllerId = 'acme',
): Promise<TestController> {
  const token = await service.token(controllerId);
  const requests = `${service.url}/requests`;

  function create(body: unknown): Promise<Answer> {
    return postJson(requests, body, token);
  }
  return {
    token,
    discovery: () => call(`${service.url}/discovery`, { token }),
    create,
    async created(changes = {}) {
      const body = requestBody(changes);
      const answer = await create(body);
      if (answer.status !== 201) throw new Error(`not created: ${answer.text}`);
      return String(body.subject_request_id);
    },
    status: (id) => call(`${requests}/${id}`, { token }),
    cancel: (id) => call(`${requests}/${id}`, { method: 'DELETE', token }),
  };
}
