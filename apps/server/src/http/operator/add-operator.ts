import type { Service } from '../../context.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { App } from '../app.ts';
import { addRoutes } from '../register.ts';
import { sessionCookie } from '../session-cookie.ts';
import { createAuthorize, createOperatorAuthenticate } from './authenticate.ts';
import { operatorRoutes } from './routes.ts';

type Access = Parameters<typeof addRoutes>[2];

/** Adds the operator's API, unless the console is off. */
export function addOperator(
  app: App,
  deps: Parameters<typeof addRoutes>[1],
  access: Pick<Access, 'limits' | 'load' | 'calls'>,
): void {
  const { service, db } = deps;
  const { operatorOrigin } = service;
  if (operatorOrigin === null) return;
  addRoutes(app, deps, {
    ...access,
    prefix: '/operator/v1',
    routes: operatorRoutes,
    cookie: sessionCookie('svc_operator', operatorOrigin),
    authenticate: createOperatorAuthenticate(db, service),
    ...createAuthorize(deps),
  });
}

const everywhere = ['/livez', '/readyz'];

/**
 * Keeps the operator's console and everything else apart where the console has its own origin: its
 * paths exist only on its host, and its host has only them. The matched route counts, not the address
 * as it was written, because `/%6Fperator` is the same path.
 */
export function separateOperatorHost(app: App, service: Service): void {
  app.addHook('onRequest', async ({ host, routeOptions: { url = '' } }) => {
    const { operatorOrigin, publicOrigin } = service;
    if (operatorOrigin === publicOrigin || everywhere.includes(url)) return;
    const isOperators = /^\/operator(\/|$)/.test(url);
    const isOnHost = operatorOrigin !== null && host.toLowerCase() === new URL(operatorOrigin).host;
    if (isOperators !== isOnHost) throw new Refusal('not_found');
  });
}
