// An operator's own system behind HTTP: people by email, and whatever faults a test gives it.
import type { ServerResponse } from 'node:http';
import { type EndpointServer, startEndpoint } from '../../connectors/http/endpoint-server.ts';

type Action = 'preview' | 'erase' | 'verify' | 'check';

interface CallBody {
  readonly action: Action;
  readonly subjects: readonly {
    readonly ref: string;
    readonly identities: readonly { readonly type: string; readonly value: string }[];
  }[];
}

/** Answers in its place, or undefined to let it answer as it should. */
export type Fault = (body: CallBody, response: ServerResponse) => object | 'sent' | undefined;

export interface Crm extends EndpointServer {
  readonly people: Set<string>;
  fault: Fault;
}

export async function startCrm(emails: readonly string[], fault: Fault): Promise<Crm> {
  const people = new Set(emails);
  const endpoint = await startEndpoint((call, response) => {
    const body = JSON.parse(call.body) as CallBody;
    const answer = crm.fault(body, response);
    if (answer === 'sent') return undefined;
    if (answer !== undefined) return answer;
    if (body.action === 'check') return { ok: true };
    return {
      subjects: body.subjects.map(({ ref, identities }) => {
        const known = identities.map(({ value }) => value).filter((it) => people.has(it));
        const counts = { people: known.length };
        if (body.action === 'preview') return { ref, found: counts };
        if (body.action === 'verify') return { ref, remaining: counts };
        for (const email of known) people.delete(email);
        return { ref, erased: counts };
      }),
    };
  });
  const crm: Crm = { ...endpoint, people, fault };
  return crm;
}

export const NO_FAULT: Fault = () => undefined;

/** In YAML; `more` are lines of its own, indented by four. */
export function crmTarget(url: string, more = ''): string {
  return `  crm:\n    connector: http\n    url: ${url}\n    allow_private: true\n    ${more}\n`;
}
