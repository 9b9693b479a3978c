// Serves the two busiest calls in their ordinary form before the framework sees them: routing, hooks and reply
// objects would be a third of their cost. Anything unusual (a token that is not cached, another spelling of the
// path, an uncommon header) is left to the framework's routes, which are the complete definition of these
// endpoints; nothing may be decided differently here.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  describeProblems,
  isCreateRequestBody,
  isSubjectRequestId,
  MAX_BODY_BYTES,
  readStrictJson,
} from '@unwrite/protocol';
import type { Principal } from '../../auth/principal.ts';
import type { RequestStore } from '../../domain/request/request-ports.ts';
import type { ControllerId } from '../../domain/tenant/controller-id.ts';
import { ApiError } from '../api-error.ts';
import type { RateLimit } from '../limits/rate-limit.ts';
import {
  BYTES_OF_A_BYTE,
  BYTES_OF_A_REQUEST,
  knownCaller,
  noRoom,
  type WaitingBytes,
} from '../limits/waiting-bytes.ts';
import { countHeaders } from '../raw-headers.ts';
import { readBody } from '../read-body.ts';
import { createRequest } from './create-request.ts';
import { readStatus } from './read-status.ts';
import type { SendAnswer } from './send-answer.ts';

export interface DirectDeps {
  readonly requests: RequestStore;
  /** Of this processor. */
  readonly domain: string;
  /** The principal of a recently verified token. */
  readonly recall: (authorization: string) => Principal | undefined;
  readonly rateLimit: RateLimit;
  readonly waitingBytes: WaitingBytes;
  readonly makeRequestId: (request: IncomingMessage) => string;
  readonly sendAnswer: SendAnswer;
  readonly sendError: (raw: ServerResponse, requestId: string, error: unknown) => void;
  readonly answered: (route: string, status: number, ms: number) => void;
}

/** Returns whether it handled the call. */
export type Direct = (request: IncomingMessage, raw: ServerResponse) => boolean;

const CREATE_PATHS = new Set(['/requests', '/v2/requests']);
const STATUS_PATH = /^(?:\/v2)?\/requests\/([0-9a-fA-F-]{36})$/;

/** Names in the metrics, the same as for the framework's routes. */
const CREATE = { name: 'POST /requests', status: 201 } as const;
const STATUS = { name: 'GET /requests/:subject_request_id', status: 200 } as const;

interface Call {
  readonly route: typeof CREATE | typeof STATUS;
  readonly controllerId: ControllerId;
  /** Memory that the call takes until it is answered. */
  readonly bytes: number;
}

export function createDirect(deps: DirectDeps): Direct {
  const { requests, recall, rateLimit, waitingBytes } = deps;
  const { makeRequestId, sendAnswer, sendError, answered } = deps;

  function take(
    request: IncomingMessage,
    raw: ServerResponse,
    { route, controllerId, bytes }: Call,
    work: () => Promise<object>,
  ): void {
    const begun = performance.now();
    const requestId = makeRequestId(request);
    const caller = knownCaller(controllerId);
    const refused =
      rateLimit.refuse(controllerId) ?? (waitingBytes.take(caller, bytes) ? undefined : noRoom());
    if (refused !== undefined) {
      sendError(raw, requestId, refused);
      answered(route.name, refused.status, performance.now() - begun);
      return;
    }
    work().then(
      (body) => {
        sendAnswer(raw, requestId, route.status, controllerId, body, () => {
          waitingBytes.give(caller, bytes);
          answered(route.name, raw.statusCode, performance.now() - begun);
        });
      },
      (error: unknown) => {
        waitingBytes.give(caller, bytes);
        sendError(raw, requestId, error);
        answered(route.name, raw.statusCode, performance.now() - begun);
      },
    );
  }

  return (request, raw) => {
    if (request.method === 'GET') {
      const id = STATUS_PATH.exec(request.url ?? '')?.[1];
      if (id === undefined || !isSubjectRequestId(id)) return false;
      const principal = ordinaryPrincipal(request, false, recall);
      if (principal === undefined) return false;
      const { controllerId } = principal;
      take(request, raw, { route: STATUS, controllerId, bytes: BYTES_OF_A_REQUEST }, () =>
        readStatus(requests, principal, id),
      );
      return true;
    }
    if (request.method !== 'POST' || !CREATE_PATHS.has(request.url ?? '')) return false;
    const principal = ordinaryPrincipal(request, true, recall);
    if (principal === undefined) return false;
    const bytes = Number(request.headers['content-length']) * BYTES_OF_A_BYTE + BYTES_OF_A_REQUEST;
    const { controllerId } = principal;
    take(request, raw, { route: CREATE, controllerId, bytes }, () =>
      readAndCreate(deps, principal, request),
    );
    return true;
  };
}

function ordinaryPrincipal(
  request: IncomingMessage,
  hasBody: boolean,
  recall: DirectDeps['recall'],
): Principal | undefined {
  const { headers } = request;
  if (headers.authorization === undefined) return undefined;
  const { hosts, authorizations, contentTypes } = countHeaders(request);
  if (hosts !== 1 || authorizations !== 1) return undefined;
  if (hasBody) {
    const isOrdinary =
      contentTypes === 1 &&
      headers['content-type'] === 'application/json' &&
      headers['content-encoding'] === undefined &&
      Number(headers['content-length']) <= MAX_BODY_BYTES;
    if (!isOrdinary) return undefined;
  }
  return recall(headers.authorization);
}

function readAndCreate(
  deps: DirectDeps,
  principal: Principal,
  request: IncomingMessage,
): Promise<object> {
  return new Promise((resolve, reject) => {
    readBody(request, (error, bytes) => {
      if (error !== null || bytes === undefined) return reject(error);
      try {
        const body = readStrictJson(bytes);
        if (!isCreateRequestBody(body)) throw new ApiError(400, describeProblems(body));
        resolve(createRequest(deps, principal, body, bytes));
      } catch (problem) {
        reject(problem);
      }
    });
  });
}
