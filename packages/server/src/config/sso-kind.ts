// The `sso` setting: which issuers may act for which controllers.
import { parse as parseYaml } from 'yaml';
import { isObject } from '../domain/is-object.ts';
import {
  CONTROLLER_ID_RULE,
  type ControllerId,
  isControllerId,
} from '../domain/tenant/controller-id.ts';
import { isSecureAddress, mayHoldKeys, type SsoIssuer } from '../domain/tenant/sso-issuer.ts';
import { BadValue, type Kind } from './setting.ts';
import { unknownNames } from './unknown-names.ts';

const NAMES = [
  'issuer',
  'jwks_uri',
  'audience',
  'role_claim',
  'role',
  'organisation_claim',
  'controllers',
];

const string = { type: 'string', minLength: 1 };

export const sso: Kind<readonly SsoIssuer[]> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: {
      issuers: {
        type: 'array',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['issuer', 'audience', 'controllers'],
          properties: {
            issuer: { ...string, format: 'uri' },
            jwks_uri: { ...string, format: 'uri' },
            audience: string,
            role_claim: { ...string, default: 'roles' },
            role: { ...string, default: 'admin' },
            organisation_claim: { ...string, default: 'org_id' },
            controllers: { oneOf: [{ const: '*' }, { type: 'array', items: string }] },
          },
        },
      },
    },
  },
  write: (issuers) => issuers.map(({ issuer }) => issuer).join(', ') || 'none',
  read(raw) {
    const value: unknown = typeof raw === 'string' ? parseYaml(raw) : raw;
    const problems: string[] = [];
    const issuers = readIssuers(value, problems);
    const names = issuers.map(({ issuer }) => issuer);
    if (new Set(names).size < names.length) problems.push('names the same issuer twice');
    if (problems.length > 0) throw new BadValue(problems.join('; '));
    return issuers;
  },
};

function readIssuers(value: unknown, problems: string[]): SsoIssuer[] {
  if (!isObject(value)) {
    problems.push('must be an object with a list "issuers"');
    return [];
  }
  problems.push(...unknownNames(value, ['issuers']));
  if (value.issuers === undefined || value.issuers === null) return [];
  if (!Array.isArray(value.issuers)) {
    problems.push('issuers must be a list');
    return [];
  }
  return value.issuers.map((item, index) => readIssuer(item, `issuers[${index}]`, problems));
}

function readIssuer(item: unknown, at: string, problems: string[]): SsoIssuer {
  const fields = isObject(item) ? item : {};
  if (!isObject(item)) problems.push(`${at} must be an object`);
  problems.push(...unknownNames(fields, NAMES, `${at}.`));

  function string(name: string, fallback?: string): string {
    const value = fields[name] ?? fallback;
    if (typeof value === 'string' && value.trim() !== '') return value.trim();
    problems.push(`${at}.${name} ${value === undefined ? 'is missing' : 'must be a string'}`);
    return '';
  }

  const issuer = string('issuer');
  if (issuer !== '' && !isIssuerAddress(issuer)) {
    problems.push(`${at}.issuer must be an https address (http only on loopback)`);
  }
  const jwksUri = fields.jwks_uri === undefined ? undefined : string('jwks_uri');
  if (jwksUri && isIssuerAddress(issuer) && !isKeyAddress(jwksUri, issuer)) {
    problems.push(
      `${at}.jwks_uri must be an https address, and on loopback only where the issuer is`,
    );
  }
  return {
    issuer,
    jwksUri,
    audience: string('audience'),
    roleClaim: string('role_claim', 'roles'),
    role: string('role', 'admin'),
    organisationClaim: string('organisation_claim', 'org_id'),
    controllers: readControllers(fields.controllers, at, problems),
  };
}

function readControllers(value: unknown, at: string, problems: string[]): SsoIssuer['controllers'] {
  if (value === '*') return '*';
  if (!Array.isArray(value) || value.length === 0) {
    problems.push(`${at}.controllers must be a list of controller ids, or "*" for all`);
    return [];
  }
  const ids = value.filter(
    (id): id is ControllerId => typeof id === 'string' && isControllerId(id),
  );
  if (ids.length < value.length) problems.push(`${at}.controllers: ${CONTROLLER_ID_RULE}`);
  return ids;
}

function isIssuerAddress(issuer: string): boolean {
  return URL.canParse(issuer) && isSecureAddress(new URL(issuer));
}

function isKeyAddress(address: string, issuer: string): boolean {
  return URL.canParse(address) && mayHoldKeys(new URL(address), new URL(issuer), true);
}
