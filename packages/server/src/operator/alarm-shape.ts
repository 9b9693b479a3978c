// An alarm as plain data.
import { type Alarm, GIVEN_UP } from '../domain/alarm/alarm.ts';
import { isoTime } from './iso-time.ts';

export function alarmShape(alarm: Alarm) {
  const { kind, percent, controllerId, subjectRequestId, target, deadline, count, message } = alarm;
  return {
    alarm: alarm.alarmNo,
    kind,
    percent: percent === 0 ? null : percent,
    controller_id: controllerId,
    subject_request_id: subjectRequestId,
    target,
    deadline: isoTime(deadline),
    count,
    message,
    raised_time: isoTime(alarm.raisedTime),
    delivered_time: deliveredTime(alarm),
  };
}

export function deliveredTime({ deliveredTime: time }: Alarm): string | null {
  return time === GIVEN_UP ? 'given up' : isoTime(time);
}
