import { Link } from '@tanstack/react-router';
import type { Alarm } from '../../api/overview-types.ts';
import { Card } from '../../components/card.tsx';
import { t } from '../../words/t.ts';
import { AlarmLine } from '../alarms/alarm-line.tsx';

const SHOWN = 5;

/** Alarms of the last day, except those about single requests. */
export function Alarms({ alarms }: { alarms: readonly Alarm[] }) {
  return (
    <Card
      flush
      title={t('alarms.title')}
      aside={
        <Link to="/alarms" className="link">
          {t('all')}
        </Link>
      }
    >
      {alarms.length === 0 ? (
        <p className="px-4 py-3 text-sm text-ink-2">{t('alarms.noneToday')}</p>
      ) : (
        <ul className="divide-y">
          {alarms.slice(0, SHOWN).map((alarm) => (
            <AlarmLine key={alarm.alarm} alarm={alarm} />
          ))}
        </ul>
      )}
    </Card>
  );
}
