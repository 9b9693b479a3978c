// What is read from the operator API. The first part of a key is what the server's events name.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiGet, type QueryValues, requestPath } from './http.ts';
import type {
  AuditRow,
  Closing,
  ControllerLine,
  ControllerPage,
  EventWebhook,
  Keys,
  Node,
  ProofKeys,
  Restore,
  Settings,
  System,
} from './other-types.ts';
import type { Alarm, AttentionItem, Overview, Statistics } from './overview-types.ts';
import type {
  LegalHold,
  Page,
  ReleaseSize,
  RequestLine,
  RequestName,
  RequestPage,
} from './request-types.ts';
import type { TargetLine, TargetPage } from './target-types.ts';

/** A list that is read page by page: see use-list.ts. */
export interface ListSource<T> {
  readonly key: readonly unknown[];
  readonly read: (after: string, signal: AbortSignal) => Promise<Page<T>>;
}

const PAGE_ROWS = 100;

function listQuery<T>(
  key: readonly unknown[],
  path: string,
  query: QueryValues = {},
): ListSource<T> {
  return {
    key: [...key, query],
    read: (after, signal) => apiGet<Page<T>>(path, { limit: PAGE_ROWS, ...query, after }, signal),
  };
}

function oneQuery<T>(key: readonly unknown[], path: string, query: QueryValues = {}) {
  return queryOptions({
    queryKey: [...key, query],
    queryFn: ({ signal }) => apiGet<T>(path, query, signal),
  });
}

export const overviewQuery = oneQuery<Overview>(['overview'], '/overview');
export const statisticsQuery = (days: number) =>
  oneQuery<Statistics>(['statistics'], '/statistics', { days });
export const attentionQuery = (filters: QueryValues) =>
  // As many as the server lists: there are no further pages.
  listQuery<AttentionItem>(['attention'], '/attention', { limit: 1000, ...filters });

export const releaseSizeQuery = (
  target: string,
  reason: string | undefined,
  controller?: string | undefined,
) => ({
  ...oneQuery<ReleaseSize>(
    ['tasks', target],
    `/targets/${encodeURIComponent(target)}/release-all`,
    {
      reason,
      controller,
    },
  ),
  enabled: target !== '' && reason !== undefined,
  // Shown right before it is decided about.
  staleTime: 0,
});

export const requestsQuery = (filters: QueryValues) =>
  listQuery<RequestLine>(['requests', 'list'], '/requests', filters);
export const requestQuery = (name: RequestName) =>
  oneQuery<RequestPage>(
    ['requests', name.controller_id, name.subject_request_id],
    requestPath(name.controller_id, name.subject_request_id),
  );
export const requestAuditQuery = (name: RequestName) =>
  oneQuery<{ items: readonly AuditRow[] }>(
    ['audit', name.controller_id, name.subject_request_id],
    `${requestPath(name.controller_id, name.subject_request_id)}/audit`,
  );

export const closingQuery = (id: string) =>
  oneQuery<Closing>(['requests', 'closing', id], `/controllers/${encodeURIComponent(id)}/closing`);
export const legalHoldsQuery = (filters: QueryValues) =>
  oneQuery<{ items: readonly LegalHold[] }>(['requests', 'legal-holds'], '/legal-holds', filters);

export const targetsQuery = oneQuery<{ items: readonly TargetLine[] }>(['targets'], '/targets');
export const targetQuery = (name: string) =>
  oneQuery<TargetPage>(['targets', name], `/targets/${encodeURIComponent(name)}`);

export const controllersQuery = listQuery<ControllerLine>(['controllers', 'list'], '/controllers');
export const controllerQuery = (id: string) =>
  oneQuery<ControllerPage>(['controllers', id], `/controllers/${encodeURIComponent(id)}`);

export const auditQuery = (filters: QueryValues) =>
  listQuery<AuditRow>(['audit', 'list'], '/audit', filters);

export const alarmsQuery = (filters: QueryValues) =>
  listQuery<Alarm>(['alarms'], '/alarms', filters);
export const restoreQuery = infiniteQueryOptions({
  queryKey: ['restore'],
  queryFn: ({ pageParam: after, signal }) =>
    apiGet<Restore>('/restore', { limit: PAGE_ROWS, after }, signal),
  initialPageParam: '',
  getNextPageParam: ({ next }) => next ?? undefined,
});

export const settingsQuery = oneQuery<Settings>(['settings'], '/settings');
export const systemQuery = oneQuery<System>(['system'], '/system');
/** What is sent are rows of the audit log: its changes change this too. */
export const eventWebhookQuery = oneQuery<EventWebhook>(['audit', 'events'], '/events/webhook');
export const nodesQuery = oneQuery<{ items: readonly Node[] }>(['nodes'], '/nodes');
export const keysQuery = oneQuery<Keys>(['keys'], '/keys');
export const proofKeysQuery = oneQuery<ProofKeys>(['keys', 'proof'], '/audit/key');
