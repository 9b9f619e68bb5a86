import type { ErrorCode } from '@svc/contract';
import { isWrite, type Route } from '../route.ts';

/**
 * Every code that a call of the route can be refused with: those that follow from how it is declared,
 * and those that its verb adds. Codes of broken HTTP, such as `malformed_request`, are left out,
 * because no HTTP library produces them.
 */
export function errorsOf(route: Route): ErrorCode[] {
  const { who, params, query, body, upload } = route;
  const codes: ErrorCode[] = [
    ...credentialErrors(route),
    ...(params ? (['invalid_path'] as const) : []),
    ...(body && !upload ? (['invalid_json'] as const) : []),
    ...(takesBody(route)
      ? (['request_timeout', 'payload_too_large', 'unsupported_media_type'] as const)
      : []),
    ...(params || query || body ? (['validation_failed'] as const) : []),
    ...(takesKey(route) && who !== 'anyone'
      ? ([
          'invalid_idempotency_key',
          'idempotency_key_in_progress',
          'idempotency_key_reused',
        ] as const)
      : []),
    ...(route.sandboxOnly ? (['simulation_unavailable'] as const) : []),
    ...(route.docs?.errors ?? []),
    ...(['rate_limited', 'internal_error', 'unavailable'] as const),
  ];
  return [...new Set(codes)];
}

/** Returns whether an Idempotency-Key has an effect on the route. */
export function takesKey({ method }: Pick<Route, 'method'>): boolean {
  return method === 'POST' || method === 'PATCH';
}

function takesBody({ method }: Route): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH';
}

function credentialErrors(route: Route): ErrorCode[] {
  const { who, secret, freshLink, keyScope } = route;
  if (who === 'anyone' || who === 'portal_or_anyone') return [];
  if (who === 'tenant') {
    return ['missing_credentials', 'invalid_credentials', 'token_invalid', 'token_expired'];
  }
  const codes: ErrorCode[] = ['missing_credentials', 'invalid_credentials'];
  if (who !== 'portal') codes.push('wrong_environment', 'browser_call');
  if (keyScope !== undefined && keyScope !== 'any') codes.push('key_scope_required');
  if (who !== 'key') {
    if (isWrite(route)) codes.push('origin_not_allowed');
    if (isWrite(route) || secret) codes.push('read_only_session');
    if (freshLink) codes.push('fresh_link_required');
  }
  return codes;
}
