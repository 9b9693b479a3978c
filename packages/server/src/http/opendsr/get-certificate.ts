// OpenDSR 4.1, 6.3: the certificate that signatures of answers are verified with. Public, like everything in it.
import type { FastifyInstance } from 'fastify';

export const CERTIFICATE_PATH = '/certificate.pem';

/** RFC 8555 9.1 */
const TYPE = 'application/pem-certificate-chain';

export function getCertificate(app: FastifyInstance, pem: () => string): void {
  app.get(
    CERTIFICATE_PATH,
    {
      schema: {
        operationId: 'getCertificate',
        summary: "The processor's certificate with its chain, leaf first",
        description: 'X-OpenDSR-Signature is made with its key. Only where one is configured.',
        tags: ['OpenDSR'],
        response: {
          200: { description: 'PEM', content: { [TYPE]: { schema: { type: 'string' } } } },
        },
      },
    },
    // Not cached: another one may be in use from one answer to the next.
    (_, reply) => reply.type(TYPE).header('cache-control', 'no-cache').send(pem()),
  );
}
