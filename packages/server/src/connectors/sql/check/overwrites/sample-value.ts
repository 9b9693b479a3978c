// Sample values for statements that are only EXPLAINed.
import type { ColumnKind, ColumnShape } from '../../catalogue.ts';

const TEXTS: Readonly<Record<ColumnKind, string>> = {
  text: 'check',
  integer: '1',
  decimal: '1',
  uuid: '00000000-0000-4000-8000-000000000000',
  binary: '00',
  other: 'check',
};

export function sampleText({ kind }: ColumnShape): string {
  return TEXTS[kind];
}
