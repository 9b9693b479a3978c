import { integer, maybeText, maybeTime, record, text, time } from '../shared/shapes.ts';

export const holdFields = {
  hold: integer,
  controller_id: text,
  subject_request_id: { ...maybeText, description: 'Null: it is on a person' },
  reason: text,
  placed_time: time,
  placed_by: text,
  until: { ...maybeTime, description: 'Null: until it is lifted' },
  ended_time: maybeTime,
  ended_by: { ...maybeText, description: 'system: it ended by its time' },
};
export const legalHoldSchema = record(holdFields);
