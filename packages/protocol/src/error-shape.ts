// Contract, part 7: the one shape of every error.
import Type from 'typebox';

export const ErrorShape = Type.Object(
  {
    error: Type.Object({
      code: Type.Integer({ description: 'The HTTP status code' }),
      message: Type.String({ description: 'What went wrong, and what to do about it' }),
    }),
  },
  { description: 'The error shape' },
);

export type ErrorShape = Type.Static<typeof ErrorShape>;

export function errorShape(code: number, message: string): ErrorShape {
  return { error: { code, message } };
}
