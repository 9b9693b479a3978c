import { describe, expect, it } from 'vitest';
import { byName } from '../../src/domain/by-name.ts';
import type { Preview } from '../../src/domain/target/connector.ts';
import type { PreviewFacts } from '../../src/domain/target/preview.ts';
import type { TargetConfig } from '../../src/domain/target/target.ts';
import { createPreviewRequest } from '../../src/fulfilment/preview-request.ts';
import { subjectOf } from '../helpers/subject.ts';
import { aTarget } from './batch-world.ts';
import { createMemoryConnector } from './memory-connector.ts';

const jane = subjectOf(0, [['email', 'jane@example.com']]);

async function previewOf(
  rows: number,
  target: Partial<TargetConfig> = {},
  facts: Partial<PreviewFacts> = {},
) {
  const connector = createMemoryConnector();
  const found: Preview = {
    outcome: 'found',
    counts: byName([['people', rows]]),
    retained: {},
    keys: {},
    sharedWith: [],
  };
  connector.tricks.preview = async () => [found];
  const look = createPreviewRequest(
    [{ ...aTarget(), ...target } as TargetConfig],
    async () => connector,
    { isPaused: () => false, rowsToday: async () => 0, taskAt: () => undefined, ...facts },
  );
  return (await look(jane)).targets[0];
}

describe('a preview goes through the guards of a run', () => {
  it('says what would be erased', async () => {
    expect(await previewOf(3)).toMatchObject({ outcome: 'would_erase', detail: null });
  });

  it.each<[string, number, string]>([
    ['as many rows as were released are erased, whatever the cap', 3, 'would_erase'],
    ['more rows than were released are held', 4, 'would_hold'],
  ])('%s', async (_, rows, outcome) => {
    const taskAt = () => ({ allowedRows: 3 });
    expect(await previewOf(rows, { maxRowsPerSubject: 1 }, { taskAt })).toMatchObject({
      outcome,
      reason: outcome === 'would_hold' ? 'more_than_previewed' : null,
    });
  });

  it('waits while it is paused', async () => {
    expect(await previewOf(1, {}, { isPaused: (target) => target === 'crm' })).toMatchObject({
      outcome: 'would_wait',
      reason: 'paused',
      counts: { people: 1 },
    });
  });

  it('waits for tomorrow if the rows of the day are used up, unless it was released', async () => {
    const target = { maxRowsPerDay: 10 };
    const rowsToday = async () => 8;
    expect(await previewOf(2, target, { rowsToday })).toMatchObject({ outcome: 'would_erase' });
    expect(await previewOf(3, target, { rowsToday })).toMatchObject({
      outcome: 'would_wait',
      reason: 'daily_cap',
      detail: '3 rows match, and 8 of max_rows_per_day (10) are used',
    });
    const taskAt = () => ({ allowedRows: 3 });
    expect(await previewOf(3, target, { rowsToday, taskAt })).toMatchObject({
      outcome: 'would_erase',
    });
  });

  it('is held rather than waiting if both apply', async () => {
    const isPaused = () => true;
    expect(await previewOf(101, {}, { isPaused })).toMatchObject({ outcome: 'would_hold' });
  });

  it('says for hand-written SQL that only the erasure itself can tell', async () => {
    const work = { kind: 'statements', preview: '', erase: [], verify: '' } as const;
    expect(await previewOf(1, { work } as Partial<TargetConfig>)).toMatchObject({
      outcome: 'would_erase',
      detail: expect.stringContaining('sql.erase changes another number of rows'),
    });
  });
});
