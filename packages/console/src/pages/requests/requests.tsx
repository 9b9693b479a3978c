// All requests, newest first. Filters are in the address, so that a link to a list can be shared.
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { requestsQuery } from '../../api/queries.ts';
import type { RequestName } from '../../api/request-types.ts';
import { useMay } from '../../api/session.ts';
import { BUTTON, BUTTON_LOOKS, BUTTON_SIZES, Button } from '../../components/button.tsx';
import { DataTable } from '../../components/data-table.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { useList } from '../../components/use-list.ts';
import { t } from '../../words/t.ts';
import { NewRequest } from './new-request.tsx';
import { REQUEST_COLUMNS } from './request-columns.tsx';
import { RequestFilters } from './request-filters.tsx';

export function RequestsPage() {
  const filters = useSearch({ from: '/requests' });
  const navigate = useNavigate();
  const list = useList(requestsQuery(filters));
  const isFiltered = Object.keys(filters).length > 0;
  const [entering, setEntering] = useState(false);
  const mayEnter = useMay('operator');
  function open(line: RequestName) {
    void navigate({
      to: '/requests/$controllerId/$requestId',
      params: { controllerId: line.controller_id, requestId: line.subject_request_id },
    });
  }
  return (
    <Page
      title={t('nav.requests')}
      lead={t('requests.lead')}
      actions={
        <>
          <Link
            to="/legal-holds"
            className={`${BUTTON} ${BUTTON_LOOKS.quiet} ${BUTTON_SIZES.usual}`}
          >
            {t('legalHold.title')}
          </Link>
          {mayEnter ? (
            <Button icon="plus" onClick={() => setEntering(true)}>
              {t('enter.button')}
            </Button>
          ) : null}
        </>
      }
    >
      {entering ? <NewRequest onClose={() => setEntering(false)} onEntered={open} /> : null}
      <RequestFilters filters={filters} />
      {list.error === null ? null : <Failure error={list.error} onRetry={list.refetch} />}
      {list.rows === undefined && list.error === null ? (
        <div className="card">
          <Loading rows={10} />
        </div>
      ) : null}
      {list.rows?.length === 0 ? (
        <div className="card">
          <Empty title={isFiltered ? t('requests.noneFiltered') : t('requests.none')}>
            {isFiltered ? t('requests.noneFiltered.more') : t('requests.none.more')}
          </Empty>
        </div>
      ) : null}
      {list.rows !== undefined && list.rows.length > 0 ? (
        <DataTable
          label={t('nav.requests')}
          rows={list.rows}
          columns={REQUEST_COLUMNS}
          keyOf={(line) => `${line.controller_id} ${line.subject_request_id}`}
          onOpen={open}
          hasMore={list.hasMore}
          isReading={list.isReading}
          readMore={list.readMore}
        />
      ) : null}
    </Page>
  );
}
