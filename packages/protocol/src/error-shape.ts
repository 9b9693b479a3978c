// Contract, part 7: the one shape of every error.
import type { Static } from './schema.ts';

export const errorSchema = {
  type: 'object',
  description: 'The error shape',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'integer', description: 'The HTTP status code' },
        message: { type: 'string', description: 'What went wrong, and what to do about it' },
      },
    },
  },
} as const;

export type ErrorShape = Static<typeof errorSchema>;

export function errorShape(code: number, message: string): ErrorShape {
  return { error: { code, message } };
}
