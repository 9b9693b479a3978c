// The `operator_sso` settings that have a form of their own: the issuer, and which values of its claim mean which role.
import { parse as parseYaml } from 'yaml';
import { OPERATOR_ROLES, type OperatorRole } from '../domain/operator/role.ts';
import { isSecureAddress } from '../domain/tenant/sso-issuer.ts';
import { BadValue, type Kind, type PlainKind } from './setting.ts';
import { unknownNames } from './unknown-names.ts';

export const ssoIssuer: PlainKind<string> = {
  schema: { type: 'string', format: 'uri' },
  write: String,
  read(raw) {
    const text = String(raw).trim();
    const url = URL.parse(text);
    if (url === null || !isSecureAddress(url) || url.search !== '' || url.hash !== '') {
      throw new BadValue('must be an https address (http only on loopback), as the issuer has it');
    }
    return text;
  },
};

export type RoleMapping = Readonly<Record<OperatorRole, readonly string[]>>;

const values = {
  oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string', minLength: 1 } }],
};

export const operatorRoles: Kind<RoleMapping> = {
  schema: {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(OPERATOR_ROLES.map((role) => [role, values])),
  },
  write: (roles) =>
    OPERATOR_ROLES.flatMap((role) =>
      roles[role].length === 0 ? [] : [`${role}: ${roles[role].join(', ')}`],
    ).join('; '),
  read(raw) {
    const given: unknown = typeof raw === 'string' ? parseYaml(raw) : raw;
    if (typeof given !== 'object' || given === null || Array.isArray(given)) {
      throw new BadValue('must name values for roles, such as { admin: [privacy-admins] }');
    }
    const [unknown] = unknownNames(given as Record<string, unknown>, [...OPERATOR_ROLES]);
    if (unknown !== undefined) throw new BadValue(`has an unknown role: ${unknown}`);
    const valuesOf = (role: OperatorRole) =>
      readValues(role, (given as Record<string, unknown>)[role]);
    const roles = {
      viewer: valuesOf('viewer'),
      operator: valuesOf('operator'),
      admin: valuesOf('admin'),
    };
    const all = Object.values(roles).flat();
    if (all.length === 0) throw new BadValue('must name a value for at least one role');
    if (new Set(all).size < all.length)
      throw new BadValue('must not give the same value to two roles');
    return roles;
  },
};

function readValues(role: OperatorRole, given: unknown): readonly string[] {
  const list: readonly unknown[] = given === undefined ? [] : [given].flat();
  if (list.every((value): value is string => typeof value === 'string' && value !== ''))
    return list;
  throw new BadValue(`must have a list of texts for ${role}`);
}
