export { problemOfAuthority, problemOfSigner } from './certificate-rules.ts';
export { createChecker } from './check-schema.ts';
export * from './constants.ts';
export {
  type CreateRequestBody,
  createRequestSchema,
  describeProblems,
  isCreateRequestBody,
} from './create-request.ts';
export type {
  AuditHeadDocument,
  InclusionDocument,
  ReceiptDocument,
} from './documents.ts';
export { type ErrorShape, errorSchema, errorShape } from './error-shape.ts';
export { forwardedBy, forwardedVia, MAX_FORWARDED } from './forwarded.ts';
export { isIdentityValue } from './identity-value.ts';
export type {
  OpenDsrCancelled,
  OpenDsrCreated,
  OpenDsrDiscovery,
  OpenDsrIdentity,
  OpenDsrIdentityFormat,
  OpenDsrIdentityType,
  OpenDsrRequest,
  OpenDsrRequestStatus,
  OpenDsrStatus,
} from './opendsr.ts';
export {
  type CancelledResponse,
  type CreatedResponse,
  cancelledSchema,
  createdSchema,
  type DiscoveryResponse,
  discoverySchema,
  type StatusResponse,
  statusSchema,
} from './responses.ts';
export type { ObjectSchema, Schema, Static } from './schema.ts';
export { readStrictJson, StrictJsonError } from './strict-json.ts';
export { isSubjectRequestId, type SubjectRequestId } from './subject-request-id.ts';
export { formatTimestamp, isTimestamp, parseTimestamp } from './timestamp.ts';
