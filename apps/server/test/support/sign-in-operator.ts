import type { OperatorRole } from '@svc/contract/operator';
import { type Called, type CallOptions, callAt, type Running } from '../harness.ts';

type Served = Pick<Running, 'administer' | 'origin' | 'url'>;

/** A person in the operator's console. */
export interface SignedIn {
  readonly operatorId: string;
  /** The session's cookie, and the origin of the console's pages. */
  readonly headers: { readonly cookie: string; readonly origin: string };
  /** Calls a route below `/operator/v1`. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
}

/** Invites a person and opens a session with the link. */
export async function signInOperator(
  svc: Served,
  { role, partners }: { readonly role: OperatorRole; readonly partners?: readonly string[] },
): Promise<SignedIn> {
  const { operator_id, url } = await inviteOperator(svc, { role, ...(partners && { partners }) });
  const opened = await openOperatorSession(svc, url);
  const headers = {
    cookie: opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '',
    origin: new URL(url).origin,
  };
  return {
    operatorId: operator_id,
    headers,
    call: (method, path, options = {}) =>
      callAt(`${svc.url}/operator/v1${path}`, method, {
        ...options,
        headers: { ...headers, ...options.headers },
      }),
  };
}

export async function inviteOperator(
  svc: Pick<Served, 'administer'>,
  input: { readonly role: OperatorRole; readonly partners?: readonly string[] },
): Promise<{ operator_id: string; url: string; expires_at: string }> {
  const answer = await svc.administer({ command: 'operator invite', name: 'Olga Reyes', ...input });
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as Awaited<ReturnType<typeof inviteOperator>>;
}

export function openOperatorSession(svc: Pick<Served, 'url'>, link: string): Promise<Called> {
  const { origin, hash } = new URL(link);
  const options = { body: { secret: hash.slice(1) }, headers: { origin } };
  return callAt(`${svc.url}/operator/v1/session/open`, 'POST', options);
}
