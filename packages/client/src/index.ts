// Runs in Node, browsers and workers: fetch and WebCrypto alone.

export type {
  AuditHeadDocument,
  InclusionDocument,
  OpenDsrCancelled,
  OpenDsrCreated,
  OpenDsrDiscovery,
  OpenDsrIdentity,
  OpenDsrIdentityFormat,
  OpenDsrIdentityType,
  OpenDsrRequestStatus,
  OpenDsrStatus,
  ReceiptDocument,
} from '@unwrite/protocol';
export type { Answer, RawAnswer, SignedAnswer } from './answer.ts';
export type { Clock } from './clock.ts';
export {
  type CallOptions,
  type Cancelled,
  ErasureClient,
  type ErasureRequest,
  type SendRequest,
  type SubmitOptions,
  type Submitted,
} from './erasure-client.ts';
export * from './errors.ts';
export type { ClientEvent, OnEvent } from './events.ts';
export type {
  AuthorizationOptions,
  ConnectionOptions,
  CredentialOptions,
  ErasureClientOptions,
} from './options.ts';
export { createAnswerVerifier } from './verify/answer-verifier.ts';
export { NotVerifiedError } from './verify/not-verified.ts';
export { createProofKeys, type ProofKeys } from './verify/proof-keys.ts';
export { type AuditRow, verifyConsistency, verifyHead, verifyInclusion } from './verify/proofs.ts';
export { importPublicKey, type PublicKey } from './verify/public-key.ts';
export { readPublishedKeys } from './verify/published-keys.ts';
export { type VerifiedReceipt, verifyReceipt } from './verify/receipt.ts';
export { verifySignature } from './verify/signature.ts';
export type { WaitOptions } from './wait-until.ts';
