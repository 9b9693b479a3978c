// Secrets of operators (links, sessions, tokens): 256 random bits each, kept in the store as a keyed digest.
import { randomBytes } from 'node:crypto';

const random = (): string => randomBytes(32).toString('base64url');

/** Codes of links and session secrets always have this form; other values are not looked up. */
export const SECRET_FORM = /^[A-Za-z0-9_-]{43}$/;
/** The prefix lets secret scanners recognise it, and distinguishes it from tokens of controllers. */
const TOKEN_PREFIX = 'unwrite_operator_';
export const TOKEN_FORM = /^unwrite_operator_[A-Za-z0-9_-]{43}$/;

export const makeLinkCode = random;
export const makeSessionSecret = random;
export const makeOperatorToken = (): string => `${TOKEN_PREFIX}${random()}`;

/** An id for display, which cannot be used to sign in. */
export const makeSessionId = (): string => `ses_${randomBytes(12).toString('hex')}`;
export const makeOperatorClientId = (): string => `opc_${randomBytes(12).toString('hex')}`;
