// What the routes of one request share: its name, its page, and decisions that two operators may take at once.
import type { AuditAction } from '../../../domain/audit/audit-row.ts';
import type { RequestSummary } from '../../../domain/request/request.ts';
import type { Actor } from '../../../domain/task/operator-ports.ts';
import { findRequest } from '../../../operator/request/find-request.ts';
import type { NamedRequest } from '../../../operator/request/operate-request.ts';
import { readRequestEtag, requestPage } from '../../../operator/request/request-page.ts';
import type { Reader } from '../../../operator/request/reveal-identity.ts';
import { decideOnce } from '../../../operator/what-happened.ts';
import type { OperatorContext } from '../context.ts';
import { isConditional, requireMatch, tagged } from '../shared/etags.ts';
import type { Call } from '../shared/route.ts';

export const PATH = '/requests/:controller_id/:subject_request_id';
export const IF_MATCH = 'If-Match takes the etag of the request.';

export function named({ params }: Pick<Call<unknown, unknown>, 'params'>): NamedRequest {
  return { id: params.subject_request_id ?? '', controller: params.controller_id };
}

export function readerOf({ operator }: Pick<Call<unknown, unknown>, 'operator'>): Reader {
  return { role: operator.role, isPerson: operator.by === 'session' };
}

export function createDecisions({ store, settings, identities }: OperatorContext) {
  const pageFor = async (call: Call<unknown, unknown>) => {
    const page = await requestPage(
      { store, identities, ...settings() },
      named(call),
      readerOf(call),
    );
    return tagged(call.request, call.reply, page);
  };

  /** For actions that two operators may take at once: the second is told what the first did. */
  async function decide(
    call: Call<unknown, unknown>,
    action: AuditAction,
    work: (name: NamedRequest, by: Actor) => Promise<unknown>,
    isDone?: (request: RequestSummary) => Promise<boolean>,
  ): Promise<void> {
    const { id, controller } = named(call);
    const request = await findRequest(store, id, controller);
    const { status, identityCount } = request;
    // Compared again when the action is done, under the lock of the request.
    const by = isConditional(call.request)
      ? { ...call.by, seenRequest: { status, identityCount } }
      : call.by;
    const decision = {
      request,
      action,
      by,
      ...(isDone !== undefined && { isDone: () => isDone(request) }),
    };
    await decideOnce(store, decision, async () => {
      requireMatch(call.request, await readRequestEtag(store, request), 'the request');
      await work({ id, controller }, by);
    });
  }

  return { pageFor, decide };
}
