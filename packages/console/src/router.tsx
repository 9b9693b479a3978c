// The pages of the console and their addresses. Each page is loaded when it is first opened.
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router';
import type { Filters } from './components/filters.ts';
import { Broken } from './shell/broken.tsx';
import { Missing } from './shell/missing.tsx';
import { Shell } from './shell/shell.tsx';

/** People also type addresses: only text values are taken from them. */
function readFilters(names: readonly string[]) {
  return (search: Record<string, unknown>): Filters =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = search[name];
        if (value === undefined || value === '') return [];
        return [[name, String(value)]];
      }),
    );
}

const root = createRootRoute({ component: Shell, notFoundComponent: Missing });
const parent = { getParentRoute: () => root };

const overview = createRoute({
  ...parent,
  path: '/',
  component: lazyRouteComponent(() => import('./pages/overview/overview.tsx'), 'OverviewPage'),
});
const requests = createRoute({
  ...parent,
  path: '/requests',
  validateSearch: readFilters([
    'status',
    'outcome',
    'controller',
    'regulation',
    'id',
    'received_from',
    'received_to',
  ]),
  component: lazyRouteComponent(() => import('./pages/requests/requests.tsx'), 'RequestsPage'),
});
const request = createRoute({
  ...parent,
  path: '/requests/$controllerId/$requestId',
  component: lazyRouteComponent(() => import('./pages/request/request.tsx'), 'RequestPageView'),
});
const legalHolds = createRoute({
  ...parent,
  path: '/legal-holds',
  validateSearch: readFilters(['all', 'controller']),
  component: lazyRouteComponent(
    () => import('./pages/legal-holds/legal-holds.tsx'),
    'LegalHoldsPage',
  ),
});
const attention = createRoute({
  ...parent,
  path: '/attention',
  validateSearch: readFilters(['what', 'reason', 'target', 'controller']),
  component: lazyRouteComponent(() => import('./pages/requests/attention.tsx'), 'AttentionPage'),
});
const targets = createRoute({
  ...parent,
  path: '/targets',
  component: lazyRouteComponent(() => import('./pages/targets/targets.tsx'), 'TargetsPage'),
});
const target = createRoute({
  ...parent,
  path: '/targets/$name',
  component: lazyRouteComponent(() => import('./pages/targets/target.tsx'), 'TargetPageView'),
});
const controllers = createRoute({
  ...parent,
  path: '/controllers',
  component: lazyRouteComponent(
    () => import('./pages/controllers/controllers.tsx'),
    'ControllersPage',
  ),
});
const controller = createRoute({
  ...parent,
  path: '/controllers/$controllerId',
  component: lazyRouteComponent(
    () => import('./pages/controllers/controller.tsx'),
    'ControllerPageView',
  ),
});
const audit = createRoute({
  ...parent,
  path: '/audit',
  validateSearch: readFilters(['controller', 'request', 'actor', 'by', 'action', 'since', 'until']),
  component: lazyRouteComponent(() => import('./pages/audit/audit.tsx'), 'AuditPage'),
});
const alarms = createRoute({
  ...parent,
  path: '/alarms',
  validateSearch: readFilters(['kind', 'target']),
  component: lazyRouteComponent(() => import('./pages/alarms/alarms.tsx'), 'AlarmsPage'),
});
const restore = createRoute({
  ...parent,
  path: '/restore',
  component: lazyRouteComponent(() => import('./pages/restore/restore.tsx'), 'RestorePage'),
});
const settings = createRoute({
  ...parent,
  path: '/settings',
  component: lazyRouteComponent(() => import('./pages/settings/settings.tsx'), 'SettingsPage'),
});

const routeTree = root.addChildren([
  overview,
  requests,
  request,
  legalHolds,
  attention,
  targets,
  target,
  controllers,
  controller,
  audit,
  alarms,
  restore,
  settings,
]);

export function createConsoleRouter() {
  return createRouter({
    routeTree,
    basepath: '/console',
    defaultPreload: 'intent',
    scrollRestoration: true,
    defaultNotFoundComponent: Missing,
    defaultErrorComponent: Broken,
    // Plain text, so that an address can be written by hand.
    parseSearch: (text) => Object.fromEntries(new URLSearchParams(text)),
    stringifySearch: (search) => {
      const given = Object.entries(search).filter(([, value]) => value !== undefined);
      const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
      return given.length === 0 ? '' : `?${text}`;
    },
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
