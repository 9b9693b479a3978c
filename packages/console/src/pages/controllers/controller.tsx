// One controller: its clients and their secrets, what it uses, and how its people sign in.
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { ControllerPage, NewSecret, Usage } from '../../api/other-types.ts';
import { controllerQuery } from '../../api/queries.ts';
import { useMay } from '../../api/session.ts';
import { useAction } from '../../api/use-action.ts';
import { Button } from '../../components/button.tsx';
import { Card, Facts } from '../../components/card.tsx';
import { Empty, Failure, Loading } from '../../components/failure.tsx';
import { Page } from '../../components/page.tsx';
import { Time } from '../../components/time.tsx';
import { formatNumber, t } from '../../words/t.ts';
import { Client } from './client.tsx';
import { ClosingCard } from './closing.tsx';
import { EditController } from './edit-controller.tsx';
import { ExportEvidence } from './export-evidence.tsx';
import { SecretShown } from './secret-shown.tsx';

export function ControllerPageView() {
  const { controllerId } = useParams({ from: '/controllers/$controllerId' });
  const { data, error, refetch } = useQuery(controllerQuery(controllerId));
  const [secret, setSecret] = useState<NewSecret>();
  const [editing, setEditing] = useState(false);
  const [exporting, setExporting] = useState(false);
  const isAdmin = useMay('admin');
  const mayExport = useMay('operator');
  return (
    <Page
      title={data?.name ?? controllerId}
      name={controllerId}
      back={{ to: '/controllers', label: t('nav.controllers') }}
      lead={<span className="mono">{controllerId}</span>}
      actions={
        <>
          <Link to="/requests" search={{ controller: controllerId }} className="link px-2">
            {t('controllers.requests')}
          </Link>
          {mayExport ? (
            <Button icon="download" onClick={() => setExporting(true)}>
              {t('export.button')}
            </Button>
          ) : null}
          {isAdmin && data !== undefined ? (
            <Button onClick={() => setEditing(true)}>{t('edit')}</Button>
          ) : null}
        </>
      }
    >
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading rows={8} /> : null}
      {data === undefined ? null : (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-5">
          <Clients controller={data} onSecret={setSecret} />
          <div className="flex flex-col gap-4 lg:gap-5">
            <UsageCard usage={data.usage} />
            <Sso controller={data} />
            <ClosingCard controller={data} />
          </div>
        </div>
      )}
      {secret === undefined ? null : (
        <SecretShown secret={secret} onClose={() => setSecret(undefined)} />
      )}
      {exporting ? (
        <ExportEvidence controllerId={controllerId} onClose={() => setExporting(false)} />
      ) : null}
      {editing && data !== undefined ? (
        <EditController controller={data} onClose={() => setEditing(false)} />
      ) : null}
    </Page>
  );
}

interface ClientsProps {
  readonly controller: ControllerPage;
  readonly onSecret: (secret: NewSecret) => void;
}

function Clients({ controller, onSecret }: ClientsProps) {
  const create = useAction<NewSecret>({ onDone: onSecret });
  const isAdmin = useMay('admin');
  const path = `/controllers/${encodeURIComponent(controller.controller_id)}/clients`;
  const makeClient = () => create.mutate({ path, options: { body: {} }, done: '' });
  return (
    <Card
      flush
      title={t('controllers.clients')}
      aside={
        isAdmin && controller.closed_time === null && controller.clients.length > 0 ? (
          <Button size="small" icon="plus" busy={create.isPending} onClick={makeClient}>
            {t('clients.new')}
          </Button>
        ) : undefined
      }
    >
      {controller.clients.length === 0 ? (
        <Empty title={t('clients.none')}>
          <p>{t('clients.none.more')}</p>
          {isAdmin && controller.closed_time === null ? (
            <Button
              className="mt-4"
              icon="plus"
              look="primary"
              busy={create.isPending}
              onClick={makeClient}
            >
              {t('clients.new')}
            </Button>
          ) : null}
        </Empty>
      ) : (
        <ul className="divide-y">
          {controller.clients.map((client) => (
            <Client key={client.client_id} client={client} onSecret={onSecret} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function UsageCard({ usage }: { usage: ControllerPage['usage'] }) {
  const rows: readonly (readonly [string, keyof Usage])[] = [
    [t('usage.started'), 'started'],
    [t('usage.completed'), 'completed'],
    [t('usage.cancelled'), 'cancelled'],
  ];
  return (
    <Card flush title={t('usage.title')}>
      <table className="w-full">
        <thead>
          <tr className="eyebrow">
            <td />
            <th className="px-2 py-2 text-right font-semibold">{t('usage.today')}</th>
            <th className="px-4 py-2 text-right font-semibold">{t('usage.total')}</th>
          </tr>
        </thead>
        <tbody className="numbers">
          {rows.map(([label, name]) => (
            <tr key={name} className="border-t">
              <th scope="row" className="px-4 py-1.5 text-left font-normal text-ink-2">
                {label}
              </th>
              <td className="px-2 text-right">{formatNumber(usage.today[name])}</td>
              <td className="px-4 text-right">{formatNumber(usage.total[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {usage.max_starts_per_day === null ? null : (
        <p className="border-t px-4 py-2 text-sm text-ink-3">
          {t('usage.limit', { count: formatNumber(usage.max_starts_per_day) })}
        </p>
      )}
    </Card>
  );
}

function Sso({ controller }: { controller: ControllerPage }) {
  return (
    <Card title={t('controllers.ssoTitle')}>
      <Facts
        items={[
          [t('controllers.sso'), controller.sso_organisation ?? t('none')],
          [t('created'), <Time key="created" iso={controller.created_time} />],
        ]}
      />
      <ul className="mt-3 text-sm text-ink-2">
        {controller.sso_issuers.map(({ issuer }) => (
          <li key={issuer} className="mono break-all">
            {issuer}
          </li>
        ))}
        {controller.sso_issuers.length === 0 ? <li>{t('controllers.noIssuers')}</li> : null}
      </ul>
    </Card>
  );
}
