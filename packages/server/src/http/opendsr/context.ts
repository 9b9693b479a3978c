// What the handlers of the four endpoints share.
import type { onRequestHookHandler } from 'fastify';
import type { RequestStore } from '../../domain/request/request-ports.ts';
import type { SendAnswer } from './send-answer.ts';

export interface OpendsrContext {
  readonly requests: RequestStore;
  /** Of this processor. */
  readonly domain: string;
  readonly requireToken: onRequestHookHandler;
  readonly sendAnswer: SendAnswer;
  /** Undefined without a certificate. */
  readonly certificateUrl: string | undefined;
}
