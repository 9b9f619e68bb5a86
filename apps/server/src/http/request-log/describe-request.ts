import { externalId } from '@svc/contract';
import { z } from 'zod';
import type { LoggedError, LoggedRequest } from '../../domain/requests/request-log.ts';
import type { Request } from '../app.ts';
import type { Route } from '../route.ts';
import type { LoggedInput } from './logged-fields.ts';
import {
  isPlain,
  redactBody,
  redacted,
  redactParam,
  redactQuery,
  redactText,
  redactUserAgent,
  sharedTexts,
} from './redact.ts';

/** A finished call of a partner's backend. */
interface FinishedCall {
  /** The path of the route with its parameters, such as `/v1/tenants/{external_id}`. */
  readonly pathTemplate: string;
  /** True if the response is about one tenant and names it. */
  readonly namesTenant: boolean;
  readonly logged: LoggedInput;
  readonly partnerId: string;
  readonly keyId: string;
  readonly arrivedAt: Date;
  readonly status: number;
  readonly durationMs: number;
  /** The JSON of the response, if it was kept. */
  readonly answer: string | undefined;
}

/** Describes a call for the request log, with what may be stored of its body. */
export function describeRequest(
  request: Pick<Request, 'id' | 'method' | 'headers' | 'params' | 'query' | 'body'>,
  call: FinishedCall,
): LoggedRequest {
  const { status, logged } = call;
  const body = readBody(request.body, logged);
  const error = status >= 400 ? errorOf(call.answer, body.hidden) : null;
  const params = (request.params ?? {}) as Readonly<Record<string, string>>;
  const userAgent = request.headers['user-agent'];
  return {
    partner_id: call.partnerId,
    id: request.id,
    key_id: call.keyId,
    occurred_at: call.arrivedAt.toISOString(),
    method: request.method,
    path: pathOf(call.pathTemplate, params),
    status,
    duration_ms: Math.round(call.durationMs),
    code: error?.code ?? null,
    external_id: tenantOf(request, call, params),
    user_agent: userAgent === undefined ? null : redactUserAgent(clean(userAgent, 200)),
    query: redactQuery((request.query ?? {}) as Record<string, unknown>, logged.query),
    request_body: body.value,
    error,
  };
}

function readBody(body: unknown, logged: LoggedInput): ReturnType<typeof redactBody> {
  if (body instanceof Uint8Array) {
    return { value: `[a file of ${body.length} bytes]`, hidden: new Set() };
  }
  return redactBody(body, logged.body);
}

/** The path with its ids; a parameter that could be something else is left out. */
function pathOf(template: string, params: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name] ?? '';
    if (name === 'external_id') return encodeURIComponent(knownTenant(value) ?? redacted);
    return isPlain(value) ? value : redacted;
  });
}

/** The tenant that the path, the body, the query or the response names. */
function tenantOf(
  { body, query }: Pick<Request, 'body' | 'query'>,
  { namesTenant, status, answer }: FinishedCall,
  params: Readonly<Record<string, string>>,
): string | null {
  const named = [params, body, query].map(
    (part) => (part as { external_id?: unknown })?.external_id,
  );
  const given = named.find((value) => typeof value === 'string');
  if (given !== undefined) return knownTenant(given as string);
  if (answer === undefined || status >= 400 || !namesTenant) return null;
  const text = /"external_id":("(?:[^"\\]|\\.){0,300}")/.exec(answer)?.[1];
  return text === undefined ? null : knownTenant(JSON.parse(text) as string);
}

/** Returns whether the route's response is about one tenant and names it. */
export function namesTenant({ output }: Pick<Route, 'output'>): boolean {
  return output instanceof z.ZodObject && 'external_id' in output.shape;
}

function knownTenant(value: string): string | null {
  if (!externalId.safeParse(value).success) return null;
  return isPlain(value) || !/svc_|whsec_|[A-Za-z0-9+/=_]{40}/.test(value) ? value : null;
}

const answerSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    param: z.string().optional(),
    errors: z
      .array(z.object({ param: z.string(), code: z.string(), message: z.string() }))
      .optional(),
  }),
});
const mostErrors = 20;

function errorOf(answer: string | undefined, hidden: ReadonlySet<string>): LoggedError | null {
  if (answer === undefined) return null;
  const parsed = answerSchema.safeParse(JSON.parse(answer));
  if (!parsed.success) return null;
  const { code, message, param } = parsed.data.error;
  const errors = parsed.data.error.errors?.slice(0, mostErrors) ?? [];
  const texts = errors.flatMap((each) => [each.param, each.message]);
  const shared = sharedTexts(hidden, [message, param ?? '', ...texts]);
  return {
    code,
    message: clean(redactText(message, shared), 1_000),
    param: param === undefined ? null : clean(redactParam(param, shared), 100),
    errors: errors.map((each) => ({
      param: clean(redactParam(each.param, shared), 100),
      code: each.code,
      message: clean(redactText(each.message, shared), 300),
    })),
  };
}

/** Shortens a text and replaces what PostgreSQL cannot store, such as U+0000 and half of a surrogate pair. */
function clean(text: string, maxLength: number): string {
  return text
    .slice(0, maxLength)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '?');
}
