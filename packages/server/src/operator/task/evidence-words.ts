// What was done at a target, in sentences for people who do not use the command line.

import { tableLines } from '../../domain/task/table-words.ts';
import type { Evidence, TableEvidence } from '../../domain/task/task.ts';
import { actorName } from '../actor-name.ts';

export function evidenceWords(evidence: Evidence): string[] {
  return [
    ...whatHappened(evidence),
    ...Object.entries(evidence.tables).flatMap(([table, it]) => tableWords(table, it)),
    ...(evidence.skipped_tables ?? []).map(
      (table) => `${table} was skipped: the request has no identity for it`,
    ),
    ...(evidence.recovered
      ? ['An earlier attempt had erased these rows and was interrupted before it could record that']
      : []),
    ...searchedAgain(evidence),
  ];
}

function whatHappened(evidence: Evidence): string[] {
  const { action, note, legal_basis: basis } = evidence;
  const by = actorName(evidence.by ?? 'somebody');
  switch (action) {
    case 'erased':
      return [];
    case 'not_found':
      return ['Nothing of this person was found here'];
    case 'already_erased':
      return [alreadyErased(evidence.already_erased_by ?? [])];
    case 'skipped':
      return ['Skipped: the request has no identity that this target knows'];
    case 'retained':
      return [`Kept by ${by}: ${[basis, note].filter((it) => it !== undefined).join('; ')}`];
    case 'confirmed':
      return [`Erased by hand, confirmed by ${by}: ${note ?? ''}`.trimEnd()];
  }
}

function alreadyErased(requests: readonly string[]): string {
  return requests.length === 0
    ? 'The rows were gone already'
    : `Erased already, for ${requests.length === 1 ? 'request' : 'requests'} ${requests.join(', ')}`;
}

export function tableWords(table: string, evidence: TableEvidence): string[] {
  return tableLines(evidence)
    .filter(({ rows }) => rows > 0)
    .map(({ words, rows, why }) => {
      const done = words === 'retained' ? 'kept' : words;
      return `${rowsOf(rows, table)} ${done}${why === null ? '' : `: ${why}`}`;
    });
}

export function rowsOf(rows: number, table: string): string {
  return `${rows} ${rows === 1 ? 'row' : 'rows'} of ${table}`;
}

function searchedAgain({ verified, forwarded }: Evidence): string[] {
  if (forwarded !== undefined) {
    const { processor, subject_request_id: id, status } = forwarded;
    return [`${processor} says of its request ${id}: ${status}`];
  }
  if (verified === 'requeried') return ['Searched again: nothing left'];
  if (verified === 'reported, not re-queried') {
    return ['As the target reported it; not searched again'];
  }
  return [];
}
