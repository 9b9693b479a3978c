import { describe, expect, it } from 'vitest';
import { tenantValues } from '../../../src/domain/target/tenant-value.ts';
import type { ControllerId } from '../../../src/domain/tenant/controller-id.ts';

const of = (values: Record<string, string | string[]>, id: string) =>
  tenantValues(values, id as ControllerId);

describe('the tenant values of a controller', () => {
  it('is what the operator wrote, or the id itself', () => {
    expect(of({ acme: '42' }, 'acme')).toEqual(['42']);
    expect(of({ acme: '42' }, 'globex')).toEqual(['globex']);
    expect(of({ acme: '42' }, 'constructor')).toEqual(['constructor']);
  });

  it('may be a list', () => {
    expect(of({ acme: ['1', '3'] }, 'acme')).toEqual(['1', '3']);
    expect(of({ acme: ['1', '3'] }, '3')).toEqual([]);
  });

  it("is missing if the id would be another controller's value", () => {
    expect(of({ acme: 'globex' }, 'globex')).toEqual([]);
    expect(of({ acme: 'globex', globex: 'acme' }, 'globex')).toEqual(['acme']);
  });
});
