import type { Failure, Selected, Welcome } from '../backend/answers.ts';

/** The portal's backend returned an error or could not be reached. */
class PortalError extends Error {}

export const api = {
  welcome: () => ask<Welcome>('GET', '/api/tenants'),
  select: (id: string) => ask<Selected>('POST', `${tenant(id)}/select`),
  startOver: (id: string) => ask<Selected>('POST', `${tenant(id)}/start-over`),
  weekLater: (id: string) => ask<Selected>('POST', `${tenant(id)}/week-later`),
  load: (id: string) => ask<Selected>('GET', tenant(id)),
  token: async (id: string) =>
    (await ask<{ token: string }>('POST', '/api/token', { tenant_id: id })).token,
  sdkEvent: (id: string, type: string, data: unknown) =>
    ask<unknown>('POST', `${tenant(id)}/sdk-events`, { type, data }),
};

const tenant = (id: string) => `/api/tenants/${encodeURIComponent(id)}`;

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      keepalive: body !== undefined,
      ...(body === undefined
        ? {}
        : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  } catch {
    throw new PortalError('The portal’s backend does not respond. Is the demo still running?');
  }
  const answer = (await response.json()) as T & Partial<Failure>;
  if (!response.ok) throw new PortalError(answer.error?.message ?? `Status ${response.status}`);
  return answer;
}
