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
    'Separate port for the console and the operator API; off: they answer on port',
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
    'Time without use after which an operator has to sign in again',
    '1h',
  ),
  operatorSessionLifetime: setting(
    'operator_session.lifetime',
    duration('5m', '30d'),
    'Time after which an operator has to sign in again in any case',
    '12h',
  ),
  operatorSsoIssuer: setting(
    'operator_sso.issuer',
    ssoIssuer,
    'OpenID Connect issuer that operators sign in with (see docs/operators.md)',
    'none: sign-in links only',
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
    'Scopes to request; add one if the role claim needs it',
    'openid profile email',
  ),
  operatorSsoNameClaim: setting(
    'operator_sso.name_claim',
    text(),
    'Claim of the ID token with the name for the audit log; if it is missing, the subject is used',
    'email',
  ),
  operatorSsoRoleClaim: setting(
    'operator_sso.role_claim',
    text(),
    'Claim of the ID token that the role is read from: a text or a list; a.b reads b inside a',
    'roles',
  ),
  operatorSsoRoles: setting(
    'operator_sso.roles',
    operatorRoles,
    'Which values of that claim mean viewer, operator and admin; people without one of them are refused',
    'none: all are refused',
  ),
} as const;
