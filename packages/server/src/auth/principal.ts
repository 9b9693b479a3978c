import type { ControllerId } from '../domain/tenant/controller-id.ts';

/** The party for which a call is made. The controller comes from the token, never from a body. */
export interface Principal {
  readonly controllerId: ControllerId;
  /** For the audit log: `client:…` or `user:…`. */
  readonly actor: string;
}

/** 401: there is no token, or it is not valid. */
export class Unauthenticated extends Error {
  override readonly name = 'Unauthenticated';
  readonly code = 'unauthenticated';
  /** Whether a token was sent at all: RFC 6750 names the error only then. */
  readonly tokenSent: boolean;

  constructor(message: string, tokenSent = true) {
    super(message);
    this.tokenSent = tokenSent;
  }
}

/** 403: the token is valid, but does not allow this. */
export class Forbidden extends Error {
  override readonly name = 'Forbidden';
  readonly code = 'forbidden';
}

/** 503: the issuer's keys cannot be fetched now. */
export class IssuerUnavailable extends Error {
  override readonly name = 'IssuerUnavailable';
  readonly code = 'issuer_unavailable';
}
