// How operators reach the console and its API, and how they sign in there.
import { duration, oneOf, origin, orOff, text, wholeNumber } from './kinds.ts';
import { operatorRoles, ssoIssuer } from './operator-sso-kind.ts';
import { setting } from './setting.ts';

export const OPERATOR_SETTINGS = {
  operatorHost: setting(
    'operator_host',
    text(),
    'Address to listen on for operator_port',
    '127.0.0.1',
  ),
  operatorPort: setting(
    'operator_port',
    orOff(wholeNumber(1, 65_535)),
    'Port for the console and the operator API, which then answer only there, or off: they are on port',
    'off',
  ),
  operatorUrl: setting(
    'operator_url',
    origin,
    'Address at which operators reach the console',
    'public_url, or http://localhost:OPERATOR_PORT',
  ),
  operatorLinks: setting(
    'operator_links',
    oneOf('loopback', 'anywhere', 'off'),
    'Where sign-in links work: in a browser on the same machine and without a proxy (loopback), anywhere, or off',
    'loopback',
  ),
  operatorSessionIdle: setting(
    'operator_session.idle',
    duration('1m', '7d'),
    'After how long without use an operator has to sign in again',
    '1h',
  ),
  operatorSessionLifetime: setting(
    'operator_session.lifetime',
    duration('5m', '30d'),
    'After how long an operator has to sign in again in any case',
    '12h',
  ),
  operatorSsoIssuer: setting(
    'operator_sso.issuer',
    ssoIssuer,
    'OpenID Connect issuer that operators sign in with (see docs/operators.md)',
    'none: by sign-in links',
  ),
  operatorSsoClientId: setting(
    'operator_sso.client_id',
    text(),
    'Client id of Unwrite at that issuer',
    'none',
  ),
  operatorSsoClientSecret: setting(
    'operator_sso.client_secret',
    text(),
    'Its client secret; none for a public client',
    'none',
    { secret: true },
  ),
  operatorSsoClientAuthentication: setting(
    'operator_sso.client_authentication',
    oneOf('basic', 'post'),
    'How the client secret is sent to the issuer: by HTTP Basic, or in the body',
    'basic',
  ),
  operatorSsoScope: setting(
    'operator_sso.scope',
    text(
      /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/,
      'scopes with one space between',
    ),
    'Scopes to ask for, if the claim of the role needs another one',
    'openid profile email',
  ),
  operatorSsoNameClaim: setting(
    'operator_sso.name_claim',
    text(),
    'Claim of the ID token with the name for the audit log; the subject where it is missing',
    'email',
  ),
  operatorSsoRoleClaim: setting(
    'operator_sso.role_claim',
    text(),
    'Claim of the ID token that the role is read from: a text or a list; a.b is b inside of a',
    'roles',
  ),
  operatorSsoRoles: setting(
    'operator_sso.roles',
    operatorRoles,
    'Which values of that claim mean viewer, operator and admin; people without one of them are refused',
    'none: all are refused',
  ),
} as const;
