import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { systemQuery } from '../../api/queries.ts';
import { Card, Facts } from '../../components/card.tsx';
import { Failure, Loading } from '../../components/failure.tsx';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName, tn } from '../../words/t.ts';

export function SystemCard() {
  const { data, error, refetch } = useQuery(systemQuery);
  return (
    <Card title={t('system.title')}>
      {error === null ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <Loading /> : null}
      {data === undefined ? null : (
        <>
          <p className="mb-4 flex items-start gap-2">
            <span className="pt-1">
              <Mark tone={data.ready ? 'good' : 'bad'} shape={data.ready ? 'check' : 'triangle'} />
            </span>
            <span className="font-medium">
              {data.ready
                ? t('system.ready')
                : t('system.notReady', { why: data.reasons.join('; ') })}
            </span>
          </p>
          <Facts
            items={[
              [t('system.version'), data.version],
              [t('system.node'), data.node_version],
              [t('system.store'), tName('store', data.store)],
              [t('system.role'), tName('nodeRole', data.role)],
              [t('system.started'), <Time key="started" iso={data.started_time} />],
              [
                t('system.url'),
                <span key="url" className="mono break-all">
                  {data.public_url}
                </span>,
              ],
              [t('system.keys'), tName('keysFrom', data.master_keys_from)],
              [
                t('system.processorCertificate'),
                data.processor_certificate === null
                  ? t('system.noProcessorCertificate')
                  : `${data.processor_certificate.subject}, ${tn('time.days', data.processor_certificate.days_left)}`,
              ],
              [
                t('system.certificate'),
                data.certificate === null
                  ? t('system.noCertificate')
                  : `${data.certificate.subject}, ${tn('time.days', Math.floor(data.certificate.days_left))}`,
              ],
            ]}
          />
          <p className="mt-4 flex flex-wrap gap-x-4 border-t pt-3 text-sm">
            <Link to="/alarms" className="link">
              {t('alarms.title')}
            </Link>
            <Link to="/restore" className="link">
              {t('restore.title')}
            </Link>
          </p>
        </>
      )}
    </Card>
  );
}
