// All routes of the operator API except those for signing in.
import type { FastifyInstance } from 'fastify';
import { auditRoutes } from './audit/routes.ts';
import { verifyReceiptRoutes } from './audit/verify-receipt.ts';
import type { OperatorContext } from './context.ts';
import { clientRoutes } from './controllers/clients.ts';
import { closeRoutes } from './controllers/close.ts';
import { exportRoutes } from './controllers/export.ts';
import { controllerRoutes } from './controllers/routes.ts';
import { eventRoutes } from './events/routes.ts';
import { legalHoldRoutes } from './legal-holds/routes.ts';
import { overviewRoutes } from './overview/routes.ts';
import { dealRoutes } from './requests/deal.ts';
import { requestListRoutes } from './requests/list.ts';
import { requestRoutes } from './requests/one.ts';
import { previewRoutes } from './requests/preview.ts';
import { receiptRoutes } from './requests/receipts.ts';
import { seenRoutes } from './requests/seen.ts';
import { createDefineRoute } from './shared/route.ts';
import { alarmRoutes } from './system/alarms.ts';
import { eventWebhookRoutes } from './system/event-webhook.ts';
import { restoreRoutes } from './system/restores.ts';
import { systemRoutes } from './system/routes.ts';
import { targetRoutes } from './targets/routes.ts';
import { taskRoutes } from './tasks/routes.ts';

export function registerOperatorRoutes(v1: FastifyInstance, context: OperatorContext): void {
  const route = createDefineRoute(v1, context.store.clock);
  for (const define of [
    overviewRoutes,
    requestListRoutes,
    seenRoutes,
    requestRoutes,
    dealRoutes,
    previewRoutes,
    receiptRoutes,
    taskRoutes,
    targetRoutes,
    controllerRoutes,
    closeRoutes,
    clientRoutes,
    exportRoutes,
    legalHoldRoutes,
    auditRoutes,
    verifyReceiptRoutes,
    alarmRoutes,
    eventWebhookRoutes,
    systemRoutes,
    restoreRoutes,
  ]) {
    define(route, context);
  }
  eventRoutes(v1, context);
}
