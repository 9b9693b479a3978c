// How an SQL target distinguishes the rows of controllers: exactly one way must be declared, because a mistake here
// erases another controller's data.

import type { Tenancy } from '../../../domain/target/target.ts';
import type { ControllerId } from '../../../domain/tenant/controller-id.ts';
import { CONTROLLER_ID_RULE, isControllerId } from '../../../domain/tenant/controller-id.ts';
import { oneOf } from '../../kinds.ts';
import { BadValue, type PlainKind } from '../../setting.ts';
import { readControllers } from '../common-fields.ts';
import { type Fields, readValue } from '../fields.ts';
import { name } from '../read-names.ts';

const WHY = "so that a request never touches another controller's rows";
const WHOLE = '"controllers: [<controller_id>]" where the whole database is one controller\'s';
const NONE = '"tenancy: none" where rows need not be separated by controller';
const TABLE_WAYS = `"tenant_column: <column>" where a column names the controller, ${WHOLE}, or ${NONE}`;
const SQL_WAYS = `:controller_id or :tenant in every statement, ${WHOLE}, or ${NONE}`;

export const tenancyWord = oneOf('none');

/** `parameters`: which statements use :controller_id or :tenant; undefined for targets with tables. */
export function readTenancy(
  target: Fields,
  parameters: 'all' | 'some' | 'none' | undefined,
): Tenancy {
  const given = [
    target.has('tenant_column') && 'tenant_column',
    target.has('controllers') && 'controllers',
    target.has('tenancy') && 'tenancy',
    parameters !== undefined && parameters !== 'none' && 'a parameter in sql',
  ].filter((way) => way !== false);
  const ways = parameters === undefined ? TABLE_WAYS : SQL_WAYS;
  if (given.length !== 1) {
    const found = given.length === 0 ? 'none is given' : `there are ${given.join(' and ')}`;
    target.problems.add(
      target.place,
      `must say in exactly one way which controller a row belongs to, ${WHY}: ${ways}; ${found}`,
    );
  }
  if (target.has('tenants') && !target.has('tenant_column') && parameters !== 'all') {
    target.problem(
      'tenants',
      'is only for tenant_column, or for :tenant in every statement of sql',
    );
  }
  const values = readTenants(target);
  if (target.has('tenant_column')) {
    if (parameters !== undefined) {
      target.problem('tenant_column', 'is only for tables; use :controller_id or :tenant in sql');
    }
    return { way: 'column', column: target.need('tenant_column', name, ''), values };
  }
  if (target.has('controllers')) return wholeDatabase(target);
  if (target.has('tenancy')) target.read('tenancy', tenancyWord, 'none');
  if (parameters === 'some') {
    target.problem('sql', 'uses :controller_id or :tenant in some statements; use it in every one');
  }
  if (parameters !== 'all') return { way: 'none' };
  return { way: 'parameter', values: singleValues(target, values) };
}

/** A parameter of a statement is one value. */
function singleValues(
  target: Fields,
  values: Readonly<Record<string, string | readonly string[]>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([id, value]) => {
      if (typeof value === 'string') return [id, value];
      target.problem(
        `tenants.${id}`,
        'must be one value, because :tenant is one; a list is for tenant_column',
      );
      return [id, ''];
    }),
  );
}

function wholeDatabase(target: Fields): Tenancy {
  const controllers = readControllers(target) ?? [];
  if (controllers.length > 1) {
    target.problem(
      'controllers',
      `must name one controller; a database that several share needs ${target.has('sql') ? ':controller_id or :tenant in its statements' : 'tenant_column'}, ${WHY}`,
    );
  }
  return { way: 'controller', controllerId: controllers[0] ?? ('' as ControllerId) };
}

function readTenants(target: Fields): Record<string, string | readonly string[]> {
  const tenants = target.below('tenants');
  const values = Object.fromEntries(
    Object.keys(tenants.values).map((id) => {
      if (!isControllerId(id)) tenants.problem(id, CONTROLLER_ID_RULE);
      const isList = Array.isArray(tenants.values[id]);
      if (isList && tenants.items(id).length === 0) tenants.problem(id, 'must have a value');
      return [id, isList ? readList(tenants, id) : tenants.need(id, tenantText, '')];
    }),
  );
  const given = Object.values(values).flatMap((value) => [...new Set([value].flat())]);
  const known = given.filter((value) => value !== '');
  if (new Set(known).size < known.length) {
    target.problem('tenants', `gives two controllers one value; each needs its own, ${WHY}`);
  }
  return values;
}

function readList(tenants: Fields, id: string): readonly string[] {
  const list = tenants
    .items(id)
    .map((item, i) =>
      readValue(item, tenantText, '', `${tenants.place}.${id}[${i}]`, tenants.problems),
    );
  if (new Set(list).size < list.length) tenants.problem(id, 'has the same value twice; keep one');
  return list;
}

export const tenantText: PlainKind<string> = {
  schema: { type: ['string', 'integer'] },
  write: String,
  read(raw) {
    if (typeof raw === 'string' && raw !== '') return raw;
    if (typeof raw === 'number' && Number.isSafeInteger(raw)) return String(raw);
    throw new BadValue(
      'must be a string or a whole number; put it in quotes to keep it as written',
    );
  },
};
