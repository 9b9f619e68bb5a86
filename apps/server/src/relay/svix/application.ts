import type { ApplicationIn } from 'svix';

/**
 * The application of a partner. Its uid is the partner's id, because Svix refuses uids that begin with
 * `app_`, which a `pms` may. Its name is the `pms`, for people who look at the server.
 */
export function applicationOf(partner: { readonly partnerId: string; readonly pms: string }) {
  const { partnerId, pms } = partner;
  return { uid: partnerId, name: pms, metadata: { pms } } satisfies ApplicationIn;
}
