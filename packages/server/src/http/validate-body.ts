// Checks bodies by the schemas in the OpenAPI document; a failure names every problem.
import { createRequestSchema, describeProblems, isCreateRequestBody } from '@unwrite/protocol';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError } from './api-error.ts';

export const validatorCompiler: FastifySchemaCompiler<unknown> = ({ schema }) => {
  if (schema !== createRequestSchema) throw new Error('there is no check for this schema');
  return (body: unknown) =>
    isCreateRequestBody(body) ? true : { error: new ApiError(400, describeProblems(body)) };
};
