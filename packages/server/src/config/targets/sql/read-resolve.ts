// `resolve`: one identity looked up from another.
import { IDENTITY_TYPES } from '@unwrite/protocol';
import type { ResolveConfig, Tenancy } from '../../../domain/target/target.ts';
import { wholeNumber } from '../../kinds.ts';
import type { Fields } from '../fields.ts';
import { name } from '../read-names.ts';
import { readWhere } from './read-where.ts';

const INTERNAL_NAME = /^[a-z][a-z0-9_]{0,62}$/;

export const resolveLimit = wholeNumber(1, 1000);

export function readResolve(target: Fields, tenancy: Tenancy): ResolveConfig | null {
  if (!target.has('resolve')) return null;
  const resolve = target.below('resolve');
  resolve.refuseOthersThan(['table', 'where', 'from', 'to', 'limit']);
  if (tenancy.way === 'parameter') {
    target.problem(
      'resolve',
      'is not possible where only parameters in sql tell controllers apart; use a target with tenant_column for it',
    );
  }
  const [from, to] = [readEnd(resolve, 'from'), readTo(resolve)];
  if (from.column !== '' && from.type === to.type && from.column === to.column) {
    resolve.problem('to', 'must be another column than "from"');
  }
  const where = readWhere(resolve);
  return {
    table: resolve.need('table', name, ''),
    ...(where !== undefined && { where }),
    from,
    to,
    limit: resolve.read('limit', resolveLimit, 20),
  };
}

/** `to: { internal: { user_id: id } }`. */
function readTo(resolve: Fields): ResolveConfig['to'] {
  const to = resolve.below('to');
  if (!to.has('internal')) return readEnd(resolve, 'to');
  to.refuseOthersThan(['internal']);
  const internal = to.below('internal');
  const [named = ''] = Object.keys(internal.values);
  if (Object.keys(internal.values).length !== 1 || !INTERNAL_NAME.test(named))
    to.problem(
      'internal',
      'must be one name of small letters with its column, such as { user_id: id }',
    );
  return { type: `internal.${named}`, column: internal.need(named, name, '') };
}

function readEnd(resolve: Fields, end: 'from' | 'to'): ResolveConfig['from'] {
  const fields = resolve.below(end);
  fields.refuseOthersThan(end === 'to' ? [...IDENTITY_TYPES, 'internal'] : IDENTITY_TYPES);
  const given = IDENTITY_TYPES.filter((type) => fields.has(type));
  const [type = 'email'] = given;
  if (given.length !== 1) {
    resolve.problem(end, `must be one of ${IDENTITY_TYPES.join(', ')} with its column`);
    return { type, column: '' };
  }
  return { type, column: fields.need(type, name, '') };
}
