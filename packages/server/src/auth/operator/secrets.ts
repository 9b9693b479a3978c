// Secrets of operators (links, sessions, tokens): 256 random bits each, kept in the store as a keyed digest.
import { randomBytes } from 'node:crypto';

const random = (): string => randomBytes(32).toString('base64url');

/** The codes of links and the ids that cookies hold have no other form; what has is not looked up. */
export const SECRET_FORM = /^[A-Za-z0-9_-]{43}$/;
/** The prefix lets secret scanners recognise it, and tells it from tokens of controllers. */
const TOKEN_PREFIX = 'unwrite_operator_';
export const TOKEN_FORM = /^unwrite_operator_[A-Za-z0-9_-]{43}$/;

export const makeLinkCode = random;
export const makeSessionSecret = random;
export const makeOperatorToken = (): string => `${TOKEN_PREFIX}${random()}`;

/** To be shown; opens nothing. */
export const makeSessionId = (): string => `ses_${randomBytes(12).toString('hex')}`;
export const makeOperatorClientId = (): string => `opc_${randomBytes(12).toString('hex')}`;
