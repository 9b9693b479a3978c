// An endpoint for an http target, complete and small: customers in memory, calls signed with `hmac`.
// docs/targets-http.md says what each part is for. Put TLS in front of it, and run it with
//
//   UNWRITE_SECRET=whsec_… node endpoint.ts
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

export interface Customer {
  readonly controllerId: string;
  readonly id: string;
  readonly email: string;
}

interface AskedSubject {
  readonly ref: string;
  readonly controller_id: string;
  readonly identities: readonly { readonly type: string; readonly value: string }[];
}

const OLDEST_SECONDS = 300;

export function createEndpoint(secret: string, customers: Set<Customer>): Server {
  return createServer(async (request, response) => {
    const body = await text(request);
    if (!isSigned(request.headers, body, secret)) {
      response.writeHead(401).end();
      return;
    }
    const { action, subjects } = JSON.parse(body);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answer(action, subjects)));
  });

  function answer(action: string, subjects: readonly AskedSubject[]) {
    if (action === 'check') return { ok: true };
    return {
      subjects: subjects.map((subject) => {
        const found = matching(subject);
        const counts = { customers: found.length };
        if (action === 'preview') return { ref: subject.ref, found: counts };
        if (action === 'verify') return { ref: subject.ref, remaining: counts };
        if (action !== 'erase') return { ref: subject.ref, error: 'unknown_action' };
        for (const customer of found) customers.delete(customer);
        // The second time there is nothing left, and that is a good answer too.
        return { ref: subject.ref, erased: counts };
      }),
    };
  }

  function matching({ controller_id, identities }: AskedSubject): Customer[] {
    return [...customers].filter(
      ({ controllerId, id, email }) =>
        // One controller's request must never touch another's rows.
        controllerId === controller_id &&
        identities.some(({ type, value }) =>
          type === 'email' ? foldAscii(email) === foldAscii(value) : id === value,
        ),
    );
  }
}

/** Only A to Z: a fold that knows all of Unicode makes one person of two. */
function foldAscii(value: string): string {
  return value.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** As the Standard Webhooks specification has it. Its libraries do the same. */
function isSigned(headers: IncomingHttpHeaders, body: string, secret: string): boolean {
  const id = String(headers['webhook-id']);
  const time = String(headers['webhook-timestamp']);
  const given = Buffer.from(String(headers['webhook-signature']));
  // Signed, but long ago: somebody may have recorded it.
  if (!(Math.abs(Date.now() / 1000 - Number(time)) <= OLDEST_SECONDS)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64');
  const right = Buffer.from(`v1,${mac}`);
  return given.length === right.length && timingSafeEqual(given, right);
}

if (import.meta.main) {
  const secret = process.env.UNWRITE_SECRET;
  if (!secret) throw new Error('set UNWRITE_SECRET to the secret under hmac of the target');
  createEndpoint(secret, new Set()).listen(8090, '127.0.0.1');
}
