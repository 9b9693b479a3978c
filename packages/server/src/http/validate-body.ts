// Bodies are checked by the schemas that the OpenAPI document shows; a failure names every problem.
import { CreateRequestBody, createRequestBody, describeFieldProblems } from '@unwrite/protocol';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { ApiError } from './api-error.ts';

export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema }) => {
  const validator = schema === CreateRequestBody ? createRequestBody : Compile(schema);
  return (body: unknown) =>
    validator.Check(body)
      ? true
      : { error: new ApiError(400, describeFieldProblems(validator.Errors(body))) };
};
