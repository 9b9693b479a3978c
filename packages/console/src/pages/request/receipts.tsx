// The signed statement of what was erased where and when.
import { useState } from 'react';
import { apiAddress, requestPath } from '../../api/http.ts';
import type { RequestPage } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { Button } from '../../components/button.tsx';
import { Card } from '../../components/card.tsx';
import { Icon } from '../../components/icons.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t } from '../../words/t.ts';
import { AcceptEvidence } from './accept-evidence.tsx';

export function Receipts({ request }: { request: RequestPage }) {
  const path = requestPath(request.controller_id, request.subject_request_id);
  const [accepting, setAccepting] = useState(false);
  const isAdmin = useMay('admin');
  return (
    <Card title={t('receipt.title')}>
      {request.receipts.length === 0 && request.receipt_refused === null ? (
        <p className="text-ink-2">
          {t(request.request_status === 'cancelled' ? 'receipt.cancelled' : 'receipt.none')}
        </p>
      ) : null}
      {request.receipt_refused === null ? null : (
        <p className="flex gap-2 text-bad">
          <span className="pt-1">
            <Mark tone="bad" shape="triangle" />
          </span>
          <span className="min-w-0 break-words">{request.receipt_refused}</span>
        </p>
      )}
      {request.receipt_refused !== null && isAdmin ? (
        <Button size="small" className="no-print mt-3" onClick={() => setAccepting(true)}>
          {t('accept.open')}
        </Button>
      ) : null}
      {accepting ? <AcceptEvidence request={request} onClose={() => setAccepting(false)} /> : null}
      <ul className="flex flex-col gap-2">
        {request.receipts.map(({ number, created_time: time }) => (
          <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Icon name="shield" className="size-5 text-good" />
            <span className="min-w-0 flex-1">
              <span className="block font-medium">
                {number === 1 ? t('receipt.one') : t('receipt.addendum', { number: number - 1 })}
              </span>
              <span className="block text-xs text-ink-3">
                {t('receipt.signed')} <Time iso={time} />
              </span>
            </span>
            <ReceiptLinks path={`${path}/receipts/${number}`} kind="controller" />
            <ReceiptLinks path={`${path}/receipts/${number}`} kind="full" />
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What the controller gets names no tables and no staff; the full one stays here. */
function ReceiptLinks({ path, kind }: { path: string; kind: 'controller' | 'full' }) {
  const [open, json] =
    kind === 'full'
      ? ([t('receipt.openFull'), t('receipt.jsonFull')] as const)
      : ([t('receipt.open'), t('receipt.json')] as const);
  return (
    <span className="flex gap-x-3">
      <a
        className="link no-print text-sm"
        target="_blank"
        rel="noreferrer"
        href={apiAddress(path, { format: 'html', kind })}
      >
        {open}
      </a>
      <a
        className="link no-print text-sm"
        href={apiAddress(path, { format: 'json', kind })}
        download
      >
        {json}
      </a>
    </span>
  );
}
