// Counts the bytes of bodies that the framework's routes read, until they are answered.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { BYTES_OF_A_BYTE, type WaitingBytes } from './waiting-bytes.ts';

declare module 'fastify' {
  interface FastifyRequest {
    takenBytes: number;
  }
}

/** Makes readBody charge the requests of this scope. */
export function chargeBodies(
  scope: FastifyInstance,
  waitingBytes: WaitingBytes,
  callerOf: (request: FastifyRequest) => string,
): (request: FastifyRequest) => (bytes: number) => boolean {
  // Not onResponse: that does not run when the caller disconnects.
  scope.addHook('preParsing', (request, reply, _, done) => {
    reply.raw.once('close', () => waitingBytes.give(callerOf(request), request.takenBytes));
    done();
  });
  return (request) => {
    const caller = callerOf(request);
    return (bytes) => {
      const needed = bytes * BYTES_OF_A_BYTE;
      if (!waitingBytes.take(caller, needed)) return false;
      request.takenBytes += needed;
      return true;
    };
  };
}
