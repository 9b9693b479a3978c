// Builds the views for operators.
import type { Alarm } from '../../../domain/alarm/alarm.ts';
import type { RowMacs } from '../../../domain/keys/row-macs.ts';
import type {
  AlarmPageQuery,
  IssuedReceipt,
  ListedController,
  OperatorViews,
  RequestTimes,
  ViewPage,
} from '../../../domain/operator/view-ports.ts';
import type { RequestKey } from '../../../domain/request/request.ts';
import { conditionsOf, type Database, type Sql } from '../../sql.ts';
import { ALARM } from '../alarms/alarms.ts';
import { findRequestNo } from '../requests/read-request.ts';
import { readAttentionItems } from './attention-items.ts';
import { readAuditPage } from './audit-page.ts';
import { readChanges } from './changes.ts';
import {
  countOpenBySpan,
  countOpenRequests,
  readBacklogs,
  readNearDeadlines,
  readTotals,
} from './overview-counts.ts';
import { readRequestPage } from './request-page.ts';
import { createStatisticsViews } from './statistics.ts';
import { readOpenTasks, readTaskPage } from './task-page.ts';

export function createOperatorViews({ unprepared: sql }: Database, macs: RowMacs): OperatorViews {
  return {
    ...createStatisticsViews(sql),
    requests: (query) => readRequestPage(sql, query),
    tasks: (query) => readTaskPage(sql, query, macs),
    openTasks: (requestNos) => readOpenTasks(sql, requestNos),
    timesOf: (request) => readMoments(sql, request),
    attention: (query) => readAttentionItems(sql, query),
    openRequests: () => countOpenRequests(sql),
    totals: (whose) => readTotals(sql, whose),
    nearDeadlines: () => readNearDeadlines(sql),
    openBySpan: (spans) => countOpenBySpan(sql, spans),
    backlogs: () => readBacklogs(sql),
    audit: (query) => readAuditPage(sql, query),
    alarms: (query) => readAlarmPage(sql, query),
    controllers: (query) => readControllerPage(sql, query),
    changes: (seen) => readChanges(sql, seen),
  };
}

const ALARM_CONDITIONS = {
  kind: 'kind = :kind',
  target: 'target = :target',
  raisedAfter: 'raised_time > :raisedAfter',
  notAboutOneRequest: 'request_no IS NULL',
  after: 'alarm_no < :after',
};

async function readAlarmPage(sql: Sql, query: AlarmPageQuery): Promise<ViewPage<Alarm, number>> {
  const { notAboutOneRequest: _, limit, ...given } = query;
  // By number, unless a time is given: times have their own index.
  const isByTime = query.raisedAfter !== undefined;
  const values = isByTime ? given : { after: Number.MAX_SAFE_INTEGER, ...given };
  const order = isByTime ? 'raised_time DESC, alarm_no DESC' : 'alarm_no DESC';
  const conditions = conditionsOf({ ...query, ...values }, ALARM_CONDITIONS);
  const rows = await sql.all<Alarm>(
    `${ALARM} WHERE ${conditions} ORDER BY ${order} LIMIT :wanted`,
    { ...values, wanted: limit + 1 },
  );
  return pageOf(rows, limit, ({ alarmNo }) => alarmNo);
}

async function readControllerPage(
  sql: Sql,
  { after, limit }: { readonly after?: string; readonly limit: number },
): Promise<ViewPage<ListedController, string>> {
  const rows = await sql.all<ListedController>(
    `SELECT controller_id AS "controllerId", name, sso_organisation AS "ssoOrganisation",
            created_time AS "createdTime", closed_time AS "closedTime", (SELECT count(*) FROM @clients AS c
              WHERE c.controller_id = it.controller_id AND revoked_time IS NULL) AS clients
     FROM @controllers AS it WHERE controller_id > :after ORDER BY controller_id LIMIT :wanted`,
    { after: after ?? '', wanted: limit + 1 },
  );
  return pageOf(rows, limit, ({ controllerId }) => controllerId);
}

function pageOf<Item, Place>(
  rows: readonly Item[],
  limit: number,
  placeOf: (item: Item) => Place,
): ViewPage<Item, Place> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? placeOf(last) : null };
}

async function readMoments(sql: Sql, request: RequestKey): Promise<RequestTimes> {
  const requestNo = await findRequestNo(sql, request);
  const times = await sql.get<Pick<RequestTimes, 'startedTime' | 'shreddedTime'>>(
    `SELECT started_time AS "startedTime", shredded_time AS "shreddedTime" FROM @all_requests
     WHERE request_no = :requestNo`,
    { requestNo: requestNo ?? 0 },
  );
  const receipts = await sql.all<IssuedReceipt>(
    `SELECT receipt_no AS "receiptNo", created_time AS "createdTime" FROM @receipts
     WHERE request_no = :requestNo ORDER BY receipt_no`,
    { requestNo: requestNo ?? 0 },
  );
  const refused = await sql.get<{ reason: string }>(
    'SELECT reason FROM @refused_receipts WHERE request_no = :requestNo',
    { requestNo: requestNo ?? 0 },
  );
  const { startedTime = null, shreddedTime = null } = times ?? {};
  return { startedTime, shreddedTime, receipts, refused: refused?.reason ?? null };
}
