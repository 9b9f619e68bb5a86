import type { EndpointOutput } from '@svc/contract';
import { endpointIdOf, getEndpoint } from '@svc/webhooks';
import { type AuditEntry, recordAudit } from '../domain/index.ts';
import type { AnyInput, Route, RouteCtx } from './route.ts';

/** Runs a verb; where the table below names its route, an entry is written beside what it does. */
export async function runAudited(
  route: Pick<Route, 'method' | 'path'>,
  ctx: RouteCtx,
  input: AnyInput,
  verb: () => Promise<unknown>,
): Promise<unknown> {
  const audit = audited[`${route.method} ${route.path}`];
  const { actor } = ctx;
  if (!audit || actor.kind !== 'partner') return verb();
  const given = { params: input.params ?? {}, body: input.body ?? {} } as Given;
  const id = given.params.id && (await endpointIdOf(ctx.tx, actor.partnerId, given.params.id));
  const before =
    audit.readsEndpoint && id ? await getEndpoint(ctx.tx, actor.partnerId, id) : undefined;
  const result = (await verb()) as Result;
  const entry = audit.entry({ ...given, params: id ? { id } : {}, result, before });
  if (entry) await recordAudit(ctx, actor, entry);
  return result;
}

type Result = Record<string, unknown>;

interface Given {
  readonly params: { readonly id?: string };
  readonly body: Record<string, unknown>;
}

interface Done extends Given {
  readonly result: Result;
  /** The endpoint as it was. */
  readonly before: EndpointOutput | undefined;
}

interface Audit {
  readonly readsEndpoint?: true;
  /** Null where there is nothing to record. */
  readonly entry: (done: Done) => AuditEntry | null;
}

/** By method and path, what the audit log says of a call that went well. */
export const audited: Readonly<Record<string, Audit>> = {
  'POST /webhooks/endpoints': {
    entry: ({ body, result }) => ({
      action: 'endpoint.created',
      endpoint_id: text(result.id),
      details: { url: text(body.url) },
    }),
  },
  'PATCH /webhooks/endpoints/{id}': { readsEndpoint: true, entry: describeUpdate },
  'DELETE /webhooks/endpoints/{id}': {
    readsEndpoint: true,
    entry: ({ params, before }) => ({
      action: 'endpoint.deleted',
      endpoint_id: text(params.id),
      details: { url: text(before?.url) },
    }),
  },
  'GET /webhooks/endpoints/{id}/secret': {
    entry: ({ params }) => ({ action: 'secret.revealed', endpoint_id: text(params.id) }),
  },
  'POST /webhooks/endpoints/{id}/secret/rotate': {
    entry: ({ params, body }) => ({
      action: 'secret.rotated',
      endpoint_id: text(params.id),
      details: { overlap_seconds: Number(body.overlap_seconds) },
    }),
  },
  'POST /webhooks/endpoints/{id}/test': {
    entry: ({ params, body, result }) => ({
      action: 'test.sent',
      endpoint_id: text(params.id),
      subject_id: text(result.message_id),
      details: { event_type: text(body.event_type), succeeded: result.succeeded === true },
    }),
  },
  'POST /webhooks/messages': {
    entry: ({ body, result }) => ({
      action: 'message.published',
      subject_id: text(result.id),
      details: { event_type: text(body.event_type) },
    }),
  },
  'POST /webhooks/messages/{id}/replay': {
    entry: ({ params, result }) => ({
      action: 'message.replayed',
      endpoint_id: text(result.endpoint_id),
      subject_id: text(params.id),
    }),
  },
  'POST /webhooks/messages/{id}/expunge': {
    entry: ({ params, body }) => ({
      action: 'message.expunged',
      subject_id: text(params.id),
      details: { cancel: body.cancel === true },
    }),
  },
  'POST /webhooks/replays': { entry: describeReplay },
  'POST /webhooks/replays/{id}/pause': { entry: (done) => steerReplay('replay.paused', done) },
  'POST /webhooks/replays/{id}/resume': { entry: (done) => steerReplay('replay.resumed', done) },
  'POST /webhooks/replays/{id}/cancel': { entry: (done) => steerReplay('replay.canceled', done) },
};

/** Which fields were sent, and what may be shown of them: no credentials, no header values. */
function describeUpdate({ params, body, before }: Done): AuditEntry {
  const changed = Object.keys(body).filter((name) => body[name] !== undefined);
  const url = body.url;
  const moved = typeof url === 'string' && before && before.url !== url;
  return {
    action: 'endpoint.updated',
    endpoint_id: text(params.id),
    details: {
      changed,
      ...(moved ? { url, url_before: before.url } : {}),
      ...(typeof body.state === 'string' ? { state: body.state } : {}),
      ...(typeof body.held === 'string' ? { held: body.held } : {}),
    },
  };
}

/** A dry run only counts. */
function describeReplay({ body, result }: Done): AuditEntry | null {
  if (body.dry_run === true) return null;
  return {
    action: 'replay.started',
    endpoint_id: text(result.endpoint_id),
    subject_id: text(result.id),
    details: { since: text(result.since), until: text(result.until), total: Number(result.total) },
  };
}

function steerReplay(action: AuditEntry['action'], { params, result }: Done): AuditEntry {
  return { action, endpoint_id: text(result.endpoint_id), subject_id: text(params.id) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
