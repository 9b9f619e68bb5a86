import type { Database } from '@svc/db';
import type { Service } from '../../context.ts';
import { OutsideLimits } from '../../domain/operators/partners-of.ts';
import { recordOperatorAction } from '../../domain/operators/record.ts';
import { isAllowed } from '../../domain/operators/roles.ts';
import { findOperatorSession } from '../../domain/operators/sessions.ts';
import { Refusal } from '../../domain/refusal.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import type { Request } from '../app.ts';
import type { Authenticate } from '../authenticate.ts';
import type { Commands } from '../command.ts';
import { isUnavailable } from '../problem.ts';
import type { KnownCall } from '../register.ts';
import { isWrite, type Route } from '../route.ts';

const freshProofMs = 5 * 60_000;

/**
 * Identifies an operator by the session's cookie. No other credentials are read, so a partner's key and
 * a tenant's session reach nothing.
 * @throws Refusal of 401 or 403
 */
export function createOperatorAuthenticate(db: Database, service: Service): Authenticate {
  return async (route, { cookie, origin, background }, now) => {
    // This includes signing in: otherwise another site could sign its visitor in as somebody else.
    if (isWrite(route) && origin !== service.operatorOrigin) {
      throw new Refusal('origin_not_allowed', {
        message: `The operator's API takes changes only from pages of ${service.operatorOrigin}.`,
      });
    }
    if (route.who === 'anyone') return { kind: 'anyone' };
    if (cookie === undefined) {
      throw new Refusal('missing_credentials', {
        message: 'You are not signed in. Sign in first.',
      });
    }
    return findOperatorSession(db, { secret: cookie, background }, now);
  };
}

/** Checks operators' calls. Audits refusals that the console's pages never cause, because somebody tried an address. */
export function createAuthorize(commands: Commands) {
  const record = (row: Route, { actor, now }: KnownCall, request: Request, details: object) =>
    runUnitOfWork(commands, now, async (uow) => {
      if (actor.kind !== 'operator') return;
      const ctx = { ...uow, requestId: request.id, address: request.ip };
      await recordOperatorAction(ctx, actor, {
        action: 'operator.refused',
        details: { call: `${row.method} ${row.path}`, role: actor.role, ...details },
      });
    });
  return {
    /** Refuses a role without the route's permission, and a session that must prove or enroll something first. */
    async authorize(row: Route, caller: KnownCall, request: Request): Promise<void> {
      const { actor, now } = caller;
      if (actor.kind !== 'operator') return;
      if (row.needs === undefined || !isAllowed(actor, row.needs)) {
        await record(row, caller, request, {});
        throw new Refusal('permission_required');
      }
      if (actor.isEnrolling) {
        if (row.whileEnrolling) return;
        throw new Refusal('enrollment_required');
      }
      const provenMs = actor.provenAt?.getTime() ?? 0;
      if (row.freshProof && now.getTime() - provenMs > freshProofMs) {
        throw new Refusal('fresh_proof_required');
      }
    },
    /**
     * Records what a verb refused because of the person's partners, and says which server of a cluster keeps
     * an operator waiting.
     */
    async onError(row: Route, caller: KnownCall, request: Request, error: unknown): Promise<void> {
      if (error instanceof OutsideLimits) {
        await record(row, caller, request, { reason: 'partners' });
      }
      const { outage } = commands.db.cluster ?? {};
      if (outage && isUnavailable(error)) {
        throw new Refusal('unavailable', {
          message: `This needs rows on the cluster's server ${outage.servers.join(' and ')}, which does not answer. Try again once it does.`,
        });
      }
    },
  };
}
