// What the pages of the console ask for when they are opened, and the filters that they offer.
export interface Call {
  readonly page: string;
  readonly path: string;
  /** A search for a person is a POST. */
  readonly body?: object;
}

export interface Known {
  /** By status, "controller_id/subject_request_id". */
  readonly requests: Readonly<Record<string, string>>;
  readonly task: number;
  readonly now: number;
  readonly person: string;
}

const DAY = 86_400_000;

export function everyCall({ requests, task, now, person }: Known): Call[] {
  const day = (ago: number) => new Date(now - ago * DAY).toISOString().slice(0, 10);
  const call = (page: string, path: string): Call => ({ page, path });
  const lists = [
    '',
    ...['pending', 'in_progress', 'completed', 'cancelled'].flatMap((status) => [
      `status=${status}`,
      `status=${status}&controller=rare`,
      `status=${status}&regulation=ccpa`,
      `status=${status}&received_from=${day(200)}&received_to=${day(199)}`,
      `status=${status}&controller=rare&regulation=gdpr&received_from=${day(300)}&received_to=${day(10)}`,
    ]),
    'controller=acme',
    'controller=rare',
    'controller=rare&regulation=gdpr',
    'regulation=ccpa',
    `received_from=${day(200)}&received_to=${day(199)}`,
    `received_to=${day(390)}`,
    `controller=rare&received_from=${day(300)}&received_to=${day(100)}`,
    `id=${requests.completed?.split('/')[1]}`,
    `id=00000000-0000-4000-8000-000000000000`,
  ];
  const audit = [
    '',
    'action=task.erased',
    'action=task.retained',
    'by=operators',
    'actor=operator:olga',
    'actor=operator:nobody',
    'actor=system',
    'controller=rare',
    'controller=rare&action=task.retained',
    `since=${day(200)}&until=${day(199)}`,
    `since=${day(1)}`,
    `until=${day(300)}&action=task.retained&controller=rare`,
    `by=operators&controller=rare&since=${day(300)}`,
  ];
  const what = ['release', 'confirm', 'identify', 'retry', 'target_down', 'paused', 'look', 'wait'];
  return [
    call('every page', '/session'),
    call('every page', '/pause'),
    call('every page', '/restore'),
    call('overview', '/overview'),
    call('overview', '/statistics?days=30'),
    call('overview', '/statistics?days=90&controller=rare'),
    call('attention', '/attention?limit=100'),
    call('attention', '/attention?limit=100&controller=rare'),
    ...what.map((it) => call('attention', `/attention?limit=100&what=${it}`)),
    ...lists.map((it) => call('requests', `/requests?limit=100${it && '&'}${it}`)),
    {
      ...call('search', '/search'),
      body: {
        identities: [{ identity_type: 'email', identity_value: person, identity_format: 'raw' }],
      },
    },
    ...Object.entries(requests).flatMap(([status, path]) => [
      call(`a ${status} request`, `/requests/${path}`),
      call(`a ${status} request`, `/requests/${path}/audit`),
    ]),
    ...['', 'state=held', 'state=failed', 'state=running', 'state=waiting', 'target=shop']
      .concat('state=held&controller=rare', 'state=held&reason=over_cap', 'target=paper')
      .map((it) => call('tasks', `/tasks?limit=100${it && '&'}${it}`)),
    call('tasks', `/tasks/${task}`),
    call('targets', '/targets'),
    ...['shop', 'crm', 'paper'].map((it) => call('a target', `/targets/${it}`)),
    call('controllers', '/controllers?limit=100'),
    ...['acme', 'rare'].map((it) => call('a controller', `/controllers/${it}`)),
    ...audit.map((it) => call('audit', `/audit?limit=100${it && '&'}${it}`)),
    ...['/audit/actions', '/audit/key', '/audit/set-aside'].map((it) => call('audit', it)),
    ...['', 'kind=target_down', 'kind=daily_rows', 'target=crm'].map((it) =>
      call('alarms', `/alarms?limit=100${it && '&'}${it}`),
    ),
    ...['/settings', '/system', '/nodes', '/keys', '/sessions'].map((it) => call('settings', it)),
  ];
}
