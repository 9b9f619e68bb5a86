import { randomUUID } from 'node:crypto';
import type { OperatorRole } from '@svc/contract/operator';
import { type Called, type CallOptions, callAt, type Running } from '../harness.ts';

type Served = Pick<Running, 'administer' | 'origin' | 'url'>;

interface Invited {
  readonly name?: string;
  readonly role: OperatorRole;
  readonly partners?: readonly string[];
}

/** A person in the operator's console. */
export interface SignedIn {
  readonly operatorId: string;
  readonly name: string;
  /** The session's cookie, and the origin of the console's pages. */
  readonly headers: { readonly cookie: string; readonly origin: string };
  /** Calls a route below `/operator/v1`. */
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
}

/** Invites a person and opens a session with the link. */
export async function signInOperator(svc: Served, invited: Invited): Promise<SignedIn> {
  const { operator_id, url } = await inviteOperator(svc, invited);
  const opened = await openOperatorSession(svc, url);
  const headers = {
    cookie: opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '',
    origin: new URL(url).origin,
  };
  return {
    operatorId: operator_id,
    name: opened.data.name,
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
  { name = `Olga ${randomUUID()}`, ...input }: Invited,
): Promise<{ operator_id: string; url: string; expires_at: string }> {
  // Where a second person must approve invitations, a test invites both of them.
  const answer = await svc.administer(
    { command: 'operator invite', name, ...input },
    { breakGlass: true },
  );
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as Awaited<ReturnType<typeof inviteOperator>>;
}

export function openOperatorSession(svc: Pick<Served, 'url'>, link: string): Promise<Called> {
  const { origin, hash } = new URL(link);
  const options = { body: { secret: hash.slice(1) }, headers: { origin } };
  return callAt(`${svc.url}/operator/v1/session/open`, 'POST', options);
}
