import type { FieldError } from '@svc/contract';
import type { Problem } from '../problem.ts';

/** A refusal with Svix's own code, for what our API has no code for. */
export class SvixRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly errors = undefined;

  constructor(status: number, code: string, detail: string) {
    super(detail);
    this.status = status;
    this.code = code;
  }
}

const codesByStatus: Readonly<Record<number, string>> = {
  401: 'authentication_failed',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  429: 'rate_limited',
};

// The names of our fields in Svix's API.
const names: Readonly<Record<string, string>> = {
  event_types: 'filterTypes',
  event_type: 'eventType',
  event_id: 'eventId',
  data: 'payload',
  throttle_per_second: 'throttleRate',
};

/** The body of a failed request in Svix's two shapes: invalid fields, or a code. */
export function errorBody({
  status,
  code,
  message,
  errors,
}: Pick<Problem, 'status' | 'message' | 'errors'> & { readonly code: string }) {
  if (status === 422) return { detail: (errors ?? [{ param: '', code, message }]).map(fieldOf) };
  return { code: codesByStatus[status] ?? code, detail: message };
}

function fieldOf({
  param,
  code,
  message,
}: Pick<FieldError, 'param' | 'message'> & { code: string }) {
  const [first, ...rest] = param.match(/[^.[\]]+/g) ?? [];
  const path = first === undefined ? [] : [names[first] ?? first, ...rest];
  return { loc: ['body', ...path], msg: message, type: code };
}
