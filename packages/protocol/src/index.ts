export * from './constants.ts';
export { CreateRequestBody, createRequestBody, IdentityObject } from './create-request.ts';
export { ErrorShape, errorShape } from './error-shape.ts';
export { describeFieldProblems } from './field-problems.ts';
export { isIdentityValue } from './identity-value.ts';
export {
  CancelledResponse,
  CreatedResponse,
  DiscoveryResponse,
  StatusResponse,
} from './responses.ts';
export { readStrictJson, StrictJsonError } from './strict-json.ts';
export { isSubjectRequestId, type SubjectRequestId } from './subject-request-id.ts';
export { formatTimestamp, isTimestamp, parseTimestamp } from './timestamp.ts';
