import { type ErrorCode, errorCatalog, type FieldCode, type FieldError } from '@svc/contract';
import { type OperatorErrorCode, operatorErrorCatalog } from '@svc/contract/operator';
import { isOutage, sqlState } from '@svc/db';
import { EngineRefusal, type RefusalCode } from '@svc/webhooks';
import { Refusal } from '../domain/refusal.ts';
import { validationFailed } from './input/field-errors.ts';

/** The answer to a failed request. */
export interface Problem {
  readonly code: ErrorCode | OperatorErrorCode;
  readonly status: number;
  readonly message: string;
  readonly param: string | undefined;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Maps any thrown error to a code of the catalog. Only this function creates HTTP errors. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) return refused(error);
  if (error instanceof EngineRefusal) return refused(engineRefusal(error));
  const code = isUnavailable(error) ? 'unavailable' : fastifyCode(error);
  if (code) return refused(new Refusal(code));
  if (isInvalidText(error)) return refused(invalidText);
  return refused(new Refusal('internal_error'));
}

/** The JSON body of a failed request. */
export function problemBody(
  {
    code,
    message,
    param,
    errors,
  }: Pick<Problem, 'message' | 'errors'> & {
    readonly code: string;
    readonly param?: string | undefined;
  },
  request_id: string,
  publicOrigin: string,
): string {
  const page = Object.hasOwn(operatorErrorCatalog, code) ? 'operate/console' : 'errors';
  const doc_url = `${publicOrigin}/docs/${page}#${code}`;
  return JSON.stringify({
    error: { code, message, param, errors, request_id, doc_url },
    data: null,
  });
}

/** A refusal with additional response headers. */
export class RefusalWithHeaders extends Refusal {
  readonly headers: Readonly<Record<string, string>>;
  constructor(
    code: ErrorCode,
    headers: Readonly<Record<string, string>>,
    details: { message?: string } = {},
  ) {
    super(code, details);
    this.headers = headers;
  }
}

const catalog = { ...errorCatalog, ...operatorErrorCatalog };

function refused(refusal: Refusal): Problem {
  const { status, meaning, fix } = catalog[refusal.code];
  const extra = refusal instanceof RefusalWithHeaders ? refusal.headers : {};
  return {
    code: refusal.code,
    status,
    message: refusal.plain ? `${meaning} ${fix}` : refusal.message,
    param: refusal.param,
    errors: refusal.errors,
    headers: {
      ...(status === 401 ? { 'www-authenticate': 'Bearer realm="svc"' } : {}),
      ...(status === 503 ? { 'retry-after': refusal.code === 'payments_paused' ? '60' : '1' } : {}),
      ...extra,
    },
  };
}

function engineRefusal({ code, message, param }: EngineRefusal): Refusal {
  const mapped = engineCodes[code];
  if ('code' in mapped) return new Refusal(mapped.code, { message, ...(param && { param }) });
  const field = param ?? mapped.param;
  return new Refusal('validation_failed', {
    message,
    param: field,
    errors: [{ param: field, code: mapped.field, message }],
  });
}

type EngineCode = { code: ErrorCode } | { field: FieldCode; param: string };

const engineCodes: Record<RefusalCode, EngineCode> = {
  endpoint_not_found: { code: 'endpoint_not_found' },
  message_not_found: { code: 'message_not_found' },
  message_in_use: { code: 'version_conflict' },
  uid_taken: { code: 'version_conflict' },
  message_expunged: { code: 'version_conflict' },
  replay_not_found: { code: 'replay_not_found' },
  endpoint_disabled: { code: 'version_conflict' },
  replay_over: { code: 'version_conflict' },
  engine_stopping: { code: 'unavailable' },
  too_many_endpoints: { field: 'too_big', param: 'url' },
  too_many_secrets: { field: 'too_big', param: 'overlap_seconds' },
  no_signing_key: { code: 'version_conflict' },
  invalid_url: { field: 'invalid_format', param: 'url' },
  url_userinfo: { field: 'invalid_value', param: 'url' },
  insecure_url: { field: 'invalid_value', param: 'url' },
  blocked_port: { field: 'invalid_value', param: 'url' },
  blocked_address: { field: 'invalid_value', param: 'url' },
  invalid_event_types: { field: 'invalid_value', param: 'event_types' },
  invalid_channels: { field: 'invalid_value', param: 'channels' },
  invalid_uid: { field: 'invalid_format', param: 'uid' },
  invalid_auth: { field: 'invalid_value', param: 'auth' },
  invalid_header: { field: 'invalid_value', param: 'headers' },
  reserved_header: { field: 'invalid_value', param: 'headers' },
  invalid_secret: { field: 'invalid_format', param: 'secret' },
  invalid_overlap: { field: 'invalid_value', param: 'overlap_seconds' },
  invalid_description: { field: 'invalid_value', param: 'description' },
  invalid_metadata: { field: 'invalid_value', param: 'metadata' },
  invalid_throttle: { field: 'invalid_value', param: 'throttle_per_second' },
  invalid_filter: { field: 'invalid_value', param: 'filter' },
  invalid_window: { field: 'invalid_value', param: 'since' },
  invalid_cursor: { field: 'invalid_value', param: 'cursor' },
};

const fastifyCodes: Record<string, ErrorCode> = {
  FST_ERR_BAD_URL: 'invalid_path',
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_json',
  FST_ERR_CTP_EMPTY_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_TYPE: 'unsupported_media_type',
  FST_ERR_MAX_PARAM_LENGTH: 'invalid_path',
  FST_STATIC_FORBIDDEN_PATH: 'not_found',
};

/** Statuses of @fastify/static for a path outside of its folder, or for `If-Match`. */
const fileCodes: Record<number, ErrorCode> = {
  400: 'not_found',
  403: 'not_found',
  404: 'not_found',
  412: 'precondition_failed',
};

function fastifyCode(error: unknown): ErrorCode | undefined {
  const { code, status, expose } = error as { code?: string; status?: number; expose?: boolean };
  // `expose` marks the errors of http-errors, which only @fastify/static throws.
  return fastifyCodes[code ?? ''] ?? (expose ? fileCodes[status ?? 0] : undefined);
}

// Lock timeout, statement timeout, and conflicts that five retries did not resolve.
const busyStates = ['40001', '40P01', '55P03', '57014'];

/** Returns whether the database did not answer, or was too busy to. */
export function isUnavailable(error: unknown): boolean {
  return isOutage(error) || busyStates.includes(sqlState(error) ?? '');
}

const invalidText = validationFailed([
  {
    param: '',
    code: 'invalid_value',
    message:
      'contains a character that cannot be stored, such as U+0000 or half a surrogate pair. Remove it',
  },
]);

/** Returns whether PostgreSQL refused text that is valid in JSON. */
function isInvalidText(error: unknown): boolean {
  const state = sqlState(error) ?? '';
  if (state === '22P02') return /type json/.test((error as Error).message);
  return ['22021', '22P05'].includes(state);
}
