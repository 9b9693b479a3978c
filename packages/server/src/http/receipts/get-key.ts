import type { FastifyInstance } from 'fastify';

export function getReceiptKey(app: FastifyInstance, publicKey: string): void {
  app.get(
    '/receipts/key',
    {
      schema: {
        operationId: 'getReceiptKey',
        summary: 'The public key that receipts are verified with (PEM)',
        description: 'An extension of Unwrite. Ed25519; public.',
        tags: ['Receipts'],
        security: [],
        response: {
          200: {
            description: 'The key',
            content: { 'application/x-pem-file': { schema: { type: 'string' } } },
          },
        },
      },
    },
    (_, reply) => reply.type('application/x-pem-file').send(publicKey),
  );
}
