export const API_VERSION = '2.0';

/** Contract 2.3 and 2.5: a body cannot sign itself; the signature travels in a header. */
export const SIGNATURE_PLACEHOLDER = 'not-yet-implemented';

export const DOMAIN_HEADER = 'X-OpenDSR-Processor-Domain';
export const SIGNATURE_HEADER = 'X-OpenDSR-Signature';

export const REGULATIONS = ['gdpr', 'ccpa'] as const;
export const IDENTITY_TYPES = ['email', 'controller_customer_id'] as const;
export const REQUEST_STATUSES = ['pending', 'in_progress', 'completed', 'cancelled'] as const;

export type Regulation = (typeof REGULATIONS)[number];
export type IdentityType = (typeof IDENTITY_TYPES)[number];
export type RequestStatus = (typeof REQUEST_STATUSES)[number];

export const MAX_IDENTITIES = 500;
export const MAX_IDENTITY_LENGTH = 1024;
export const MAX_BODY_BYTES = 262_144;
