import type { Hours } from '../../domain/target/target.ts';
import { BadValue, type PlainKind } from '../setting.ts';

const HOURS = /^(\d{1,2}):(\d{2})\s*-\s*(\d{1,2}):(\d{2})\s+(\S+)$/;
const EXAMPLE = 'such as "22:00-06:00 Europe/Berlin"';

export const hours: PlainKind<Hours> = {
  schema: { type: 'string', examples: ['22:00-06:00 Europe/Berlin'] },
  write: ({ text }) => text,
  read(raw) {
    const text = typeof raw === 'string' ? raw.trim() : '';
    const match = HOURS.exec(text);
    if (match === null) throw new BadValue(`must be times and a time zone, ${EXAMPLE}`);
    const [, fromHour, fromMinute, toHour, toMinute, timeZone = ''] = match;
    const from = minutes(fromHour, fromMinute);
    const to = minutes(toHour, toMinute);
    if (from === undefined || to === undefined || from === 1440) {
      throw new BadValue(`must have times from 00:00 to 24:00, ${EXAMPLE}`);
    }
    if (from === to)
      throw new BadValue('must begin and end at different times; leave it out for always');
    if (!isTimeZone(timeZone)) {
      throw new BadValue('must end with a time zone such as Europe/Berlin or UTC');
    }
    return { from, to, timeZone, text };
  },
};

function minutes(hour: string | undefined, minute: string | undefined): number | undefined {
  const sum = Number(hour) * 60 + Number(minute);
  return Number(minute) < 60 && sum <= 1440 ? sum : undefined;
}

function isTimeZone(timeZone: string): boolean {
  try {
    new Intl.DateTimeFormat('en-GB', { timeZone });
    return true;
  } catch {
    return false;
  }
}
