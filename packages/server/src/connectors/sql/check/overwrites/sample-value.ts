// Sample values for statements that are only EXPLAINed.
import type { SqlConnector } from '../../../../domain/target/target.ts';
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

/** In the form of the dialect's readKey: SQLite's keys start with their type. */
export function sampleKey(connector: SqlConnector, column: ColumnShape): string {
  if (connector !== 'sqlite') return sampleText(column);
  const tag = { integer: 'i', decimal: 'i', binary: 'b', text: 't', uuid: 't', other: 't' }[
    column.kind
  ];
  return `${tag}:${sampleText(column)}`;
}
