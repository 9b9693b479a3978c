-- Alarms are listed by kind and by target, and the overview shows those of the last day that no request is named in.
CREATE INDEX alarms_of_kind ON alarms (kind, alarm_no);
CREATE INDEX alarms_of_target ON alarms (target, alarm_no) WHERE target IS NOT NULL;
CREATE INDEX alarms_beside_requests ON alarms (raised_time, alarm_no) WHERE request_no IS NULL;

-- What is stuck of one controller, beside very much of another.
CREATE INDEX tasks_stuck_by_controller ON tasks (owner_id, state, request_no) WHERE state IN ('held', 'failed');
