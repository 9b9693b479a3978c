import type { FastifyInstance } from 'fastify';

/** Reads the current keys: another node may have replaced the key. */
export type PublishKeys = () => Promise<{ readonly publicKey: string; readonly list: object[] }>;

export function getReceiptKey(app: FastifyInstance, keys: PublishKeys): void {
  app.get(
    '/receipts/key',
    {
      schema: {
        operationId: 'getReceiptKey',
        summary: 'The public key that signs receipts now (PEM)',
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
    async (_, reply) => reply.type('application/x-pem-file').send((await keys()).publicKey),
  );
}

export function getReceiptKeys(app: FastifyInstance, keys: PublishKeys): void {
  app.get(
    '/receipts/keys',
    {
      schema: {
        operationId: 'getReceiptKeys',
        summary: 'All keys that receipts and audit heads were ever signed with, the newest last',
        description:
          'An extension of Unwrite. Ed25519; public. Each is signed by the one before it, the first by itself.',
        tags: ['Receipts'],
        security: [],
        response: {
          200: {
            description: 'The keys',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { keys: { type: 'array' } } },
              },
            },
          },
        },
      },
      // The schema only documents.
      serializerCompiler: () => (body) => JSON.stringify(body),
    },
    async (_, reply) =>
      reply.type('application/json; charset=utf-8').send({ keys: (await keys()).list }),
  );
}
