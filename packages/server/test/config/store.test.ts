import { describe, expect, it } from 'vitest';
import { showSettings } from '../../src/config/show.ts';
import { useGivenSettings } from './given.ts';

const { load, problems, write } = useGivenSettings();

describe('the setting store', () => {
  it('is SQLite by default', () => {
    const loaded = load({});
    expect(loaded.config.store).toBe('sqlite');
    expect(showSettings(loaded)).toContainEqual({
      name: 'store',
      value: 'sqlite',
      source: 'default',
    });
  });

  it('may be a database, of which all but the password is shown', () => {
    const loaded = load({ environment: { UNWRITE_STORE: 'postgres://u:secret@db:5433/unwrite' } });
    expect(loaded.config.store).toBe('postgres://u:secret@db:5433/unwrite');
    const shown = showSettings(loaded).find(({ name }) => name === 'store');
    expect(shown?.value).toBe('postgres://u:********@db:5433/unwrite');
  });

  it('may come from a file, so that no list of processes has it', () => {
    const path = write('store-address', 'postgres://u:secret@db/unwrite\n');
    const { config } = load({ environment: { UNWRITE_STORE_FILE: path } });
    expect(config.store).toBe('postgres://u:secret@db/unwrite');
  });

  it('is not quoted in the message if it is wrong', () => {
    const [problem] = problems({ environment: { UNWRITE_STORE: 'postgres:/u:secret@db/unwrite' } });
    expect(problem).not.toContain('secret');
  });
});

describe('the setting role', () => {
  it.each(['api', 'worker'])('%s needs a store that nodes can share', (role) => {
    expect(problems({ flags: { role } })).toEqual([
      `role ${role} needs a store that nodes can share: set store (UNWRITE_STORE) to postgres://…`,
    ]);
    expect(load({ flags: { role, store: 'postgres://db/unwrite' } }).config.role).toBe(role);
  });
});
