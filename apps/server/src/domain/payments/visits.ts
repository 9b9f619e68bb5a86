import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';

/** The path of our page that leads to a page of the bank or the processor. */
export const visitPath = '/setup/visit';

const visitSeconds = 600;
/** The context of the seal, so that no other sealed text can be used as a visit. */
const visitContext = 'visit';

/**
 * Returns the address of our page that leads to `url`, for 10 minutes. Our page notes where in the tab's history
 * it is, so that `/setup/return` can lead back. `url` is sealed, because our page must lead nowhere else, and it
 * is in the fragment, which reaches no server's log.
 */
export function visitUrl({ service, now }: Pick<Ctx, 'service' | 'now'>, url: string): string {
  const expires_at = new Date(now.getTime() + visitSeconds * 1000);
  const visit = service.vault.seal(JSON.stringify({ url, expires_at }), visitContext);
  return `${service.publicOrigin}${visitPath}#${visit.toString('base64url')}`;
}

/**
 * Opens what `visitUrl` has sealed.
 * @throws Refusal `token_invalid` or `token_expired`
 */
export function openVisit(
  { service, now }: Pick<Ctx, 'service' | 'now'>,
  { visit }: { readonly visit: string },
): { url: string } {
  const { url, expires_at } = unseal();
  if (new Date(expires_at) <= now) throw new Refusal('token_expired');
  return { url };

  function unseal(): { url: string; expires_at: string } {
    try {
      return JSON.parse(service.vault.open(Buffer.from(visit, 'base64url'), visitContext));
    } catch {
      throw new Refusal('token_invalid');
    }
  }
}
