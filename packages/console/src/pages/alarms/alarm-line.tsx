// One alarm: what happened, what it is about, and whether it reached the webhook.
import { Link } from '@tanstack/react-router';
import type { Alarm } from '../../api/overview-types.ts';
import { Mark } from '../../components/status.tsx';
import { Time } from '../../components/time.tsx';
import { t, tName } from '../../words/t.ts';

export function AlarmLine({ alarm, explained = false }: { alarm: Alarm; explained?: boolean }) {
  return (
    <li className="flex gap-2.5 px-4 py-2.5">
      <span className="pt-1">
        <Mark tone="bad" shape="triangle" />
      </span>
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap justify-between gap-x-3">
          <span className="font-medium">
            {tName('alarm', alarm.kind)}
            {alarm.percent === null ? null : (
              <span className="numbers font-normal text-ink-2"> {alarm.percent} %</span>
            )}
          </span>
          <Time iso={alarm.raised_time} className="text-sm text-ink-3" />
        </p>
        <p className="text-sm break-words text-ink-2">{alarm.message}</p>
        {explained ? <Explained alarm={alarm} /> : null}
      </div>
    </li>
  );
}

function Explained({ alarm }: { alarm: Alarm }) {
  const { controller_id: controllerId, subject_request_id: requestId, target } = alarm;
  return (
    <>
      <p className="mt-1 text-sm break-words">
        <span className="text-ink-3">{t('alarms.do')}</span> {tName('alarm.do', alarm.kind)}
      </p>
      <p className="mt-1 flex flex-wrap gap-x-4 text-sm">
        {controllerId !== null && requestId !== null ? (
          <Link
            to="/requests/$controllerId/$requestId"
            params={{ controllerId, requestId }}
            className="link"
          >
            {t('request')} <span className="mono">{requestId.slice(0, 8)}</span>
          </Link>
        ) : null}
        {controllerId === null ? null : (
          <Link to="/controllers/$controllerId" params={{ controllerId }} className="link">
            {controllerId}
          </Link>
        )}
        {target === null ? null : (
          <Link to="/targets/$name" params={{ name: target }} className="link">
            {target}
          </Link>
        )}
        <Delivered alarm={alarm} />
      </p>
    </>
  );
}

function Delivered({ alarm: { delivered_time: time } }: { alarm: Alarm }) {
  if (time === null) return <span className="text-ink-3">{t('alarms.notSent')}</span>;
  if (time === 'given up') return <span className="text-bad">{t('alarms.givenUp')}</span>;
  return (
    <span className="text-ink-3">
      {t('alarms.sent')} <Time iso={time} />
    </span>
  );
}
