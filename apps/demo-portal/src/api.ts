import type { Failure, Selected, Welcome } from '../backend/answers.ts';

/** The portal's backend returned an error or could not be reached. */
class PortalError extends Error {}

export const api = {
  welcome: () => fetchJson<Welcome>('GET', '/api/tenants'),
  select: (id: string) => fetchJson<Selected>('POST', `${tenantPath(id)}/select`),
  startOver: (id: string) => fetchJson<Selected>('POST', `${tenantPath(id)}/start-over`),
  weekLater: (id: string) => fetchJson<Selected>('POST', `${tenantPath(id)}/week-later`),
  load: (id: string) => fetchJson<Selected>('GET', tenantPath(id)),
  token: async (id: string) =>
    (await fetchJson<{ token: string }>('POST', '/api/token', { tenant_id: id })).token,
  sdkEvent: (id: string, type: string, data: unknown) =>
    fetchJson<unknown>('POST', `${tenantPath(id)}/sdk-events`, { type, data }),
};

const tenantPath = (id: string) => `/api/tenants/${encodeURIComponent(id)}`;

async function fetchJson<T>(method: string, path: string, body?: unknown): Promise<T> {
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
