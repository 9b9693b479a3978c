// Conditions that affect everything, shown on every page: erasing is paused, the store was restored, the audit log was
// changed, the certificate expires, this is a sandbox.
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { overviewQuery } from '../api/queries.ts';
import { useMay } from '../api/session.ts';
import { useAction } from '../api/use-action.ts';
import { Button } from '../components/button.tsx';
import { Mark } from '../components/status.tsx';
import { Time } from '../components/time.tsx';
import { t, tn } from '../words/t.ts';

export function Banners() {
  const { data } = useQuery(overviewQuery);
  const resume = useAction();
  const mayResume = useMay('operator');
  const paused = data?.paused.find(({ target }) => target === null);
  const isLogDamaged = paused?.paused_by === 'system:audit-log';
  // An open restore and a damaged log pause everything, and resuming would not help.
  const all = data?.restore_open || isLogDamaged ? undefined : paused;
  const certificate = data?.certificate ?? null;
  return (
    <div className="pt-12 md:pt-0">
      {data?.sandbox ? (
        <section
          aria-label={t('banner.sandbox')}
          className="flex items-center gap-3 border-b bg-warn-soft px-4 py-2 text-warn md:px-8"
        >
          <Mark tone="warn" shape="ring" />
          <p className="font-medium">
            {t('banner.sandbox')}: {t('banner.sandbox.more')}
          </p>
        </section>
      ) : null}
      {all === undefined ? null : (
        <section
          aria-label={t('pause.paused')}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-soft px-4 py-2 text-warn md:px-8"
        >
          <Mark tone="warn" shape="bars" />
          <p className="font-medium">
            {t('banner.paused', { by: all.paused_by })} <Time iso={all.paused_time} />.{' '}
            {t('banner.paused.more')}
          </p>
          {mayResume ? (
            <Button
              size="small"
              icon="play"
              className="ml-auto"
              busy={resume.isPending}
              onClick={() => resume.mutate({ path: '/resume', done: t('pause.resumed') })}
            >
              {t('pause.resume')}
            </Button>
          ) : null}
        </section>
      )}
      {data?.restore_open ? (
        <section
          aria-label={t('restore.title')}
          className="flex items-center gap-3 border-b bg-bad-soft px-4 py-2 text-bad md:px-8"
        >
          <Mark tone="bad" shape="triangle" />
          <p className="font-medium">{t('banner.restore')}</p>
          <Link to="/restore" className="link ml-auto whitespace-nowrap">
            {t('banner.restore.open')}
          </Link>
        </section>
      ) : null}
      {isLogDamaged ? (
        <section
          aria-label={t('banner.damage.label')}
          className="flex items-center gap-3 border-b bg-bad-soft px-4 py-2 text-bad md:px-8"
        >
          <Mark tone="bad" shape="triangle" />
          <p className="font-medium">{t('banner.damage')}</p>
          <Link to="/audit" className="link ml-auto whitespace-nowrap">
            {t('banner.damage.open')}
          </Link>
        </section>
      ) : null}
      {certificate === null || certificate.state === 'valid' ? null : (
        <section
          aria-label={t('banner.certificate')}
          className="flex items-center gap-3 border-b bg-warn-soft px-4 py-2 text-warn md:px-8"
        >
          <Mark tone="warn" shape="triangle" />
          <p className="font-medium">
            {t(`banner.certificate.${certificate.state}`, {
              days: tn('time.days', certificate.days_left),
            })}
          </p>
        </section>
      )}
    </div>
  );
}
