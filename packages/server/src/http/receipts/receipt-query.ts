import type { FastifyRequest } from 'fastify';
import { ApiError } from '../api-error.ts';

export interface ReceiptQuery {
  readonly no: number;
  readonly format: 'json' | 'html';
}

/** For the OpenAPI document. */
export const receiptQuerySchema = {
  type: 'object',
  properties: {
    no: { type: 'integer', minimum: 1, default: 1, description: '2 and more: addenda' },
    format: { type: 'string', enum: ['json', 'html'], default: 'json' },
  },
};

export function receiptQueryOf(request: FastifyRequest): ReceiptQuery {
  const { no = '1', format = 'json' } = request.query as Record<string, unknown>;
  if (typeof no !== 'string' || !/^[1-9]\d{0,5}$/.test(no)) {
    throw new ApiError(400, 'no must be a positive integer');
  }
  if (format !== 'json' && format !== 'html') {
    throw new ApiError(400, 'format must be one of: json, html');
  }
  return { no: Number(no), format };
}
