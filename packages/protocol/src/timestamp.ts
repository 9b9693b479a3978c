// RFC 3339 timestamps, checked strictly: `new Date` accepts 30 February, a missing offset and 24:00.

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,12}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysInMonth(year: number, month: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && leap ? 29 : (DAYS_IN_MONTH[month - 1] ?? 0);
}

/** The instant in milliseconds since 1970, or undefined where the text is not a valid timestamp. */
export function parseTimestamp(text: string): number | undefined {
  const match = RFC3339.exec(text);
  if (match === null) return undefined;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const hour = Number(match[4]);
  const minute = Number(match[5]);
  const second = Number(match[6]);
  if (day < 1 || day > daysInMonth(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (offsetHours > 23 || offsetMinutes > 59) return undefined;

  const offset = (match[8] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  const minuteOfDay = hour * 60 + minute - offset;
  // A leap second exists only at 23:59:60 UTC, regardless of the local offset.
  if (second === 60 && ((minuteOfDay % 1440) + 1440) % 1440 !== 1439) return undefined;

  const midnight = new Date(0).setUTCFullYear(year, month - 1, day);
  const milliseconds = Number((match[7] ?? '').slice(0, 3).padEnd(3, '0'));
  return midnight + minuteOfDay * 60_000 + second * 1000 + milliseconds;
}

export function isTimestamp(text: string): boolean {
  return parseTimestamp(text) !== undefined;
}

const DAY_MS = 86_400_000;
let day = Number.NaN;
let dayText = '';

/**
 * Always `Z`, never an offset: strict clients reject offsets. Most calls are about one day, so its
 * date is kept: `toISOString` costs six times as much, twice in every answer.
 */
export function formatTimestamp(milliseconds: number): string {
  const thisDay = Math.floor(milliseconds / DAY_MS);
  if (thisDay !== day) {
    dayText = new Date(milliseconds).toISOString().slice(0, 11);
    day = thisDay;
  }
  const rest = milliseconds - thisDay * DAY_MS;
  const hours = Math.floor(rest / 3_600_000);
  const minutes = Math.floor(rest / 60_000) % 60;
  const seconds = Math.floor(rest / 1000) % 60;
  const fraction = rest % 1000;
  return `${dayText}${two(hours)}:${two(minutes)}:${two(seconds)}.${fraction < 100 ? '0' : ''}${two(fraction)}Z`;
}

function two(number: number): string {
  return number < 10 ? `0${number}` : String(number);
}
