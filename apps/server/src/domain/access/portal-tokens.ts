import type { PortalTokenInput, PortalTokenOutput } from '@svc/contract';
import { sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from './actor.ts';
import { newSecret, sha256 } from './secrets.ts';

/**
 * Opens a console session for a frame on a page of the partner. Its secret is a bearer token that lives in
 * the memory of that frame, so it needs no cookie. It ends at `expires_at`, and with the API key that
 * created it, like every console session.
 */
export async function createPortalToken(
  { tx, now, actor }: Ctx<PartnerActor>,
  input: PortalTokenInput,
): Promise<PortalTokenOutput> {
  const { view, external_id = null, read_only, expires_in, person = null } = input;
  const token = newSecret('svc_pt_');
  const expiresAt = new Date(now.getTime() + expires_in * 1000);
  const scope = view === 'webhooks' ? 'webhooks' : 'admin';
  await tx.run(sql`
    insert into portal_session
      (id, secret_sha256, partner_id, key_id, scope, read_only, person, view, external_id, created_at,
        idle_until, expires_at)
    values (${newId('pss', now)}, ${sha256(token)}, ${actor.partnerId}, ${actor.credentialId}, ${scope},
      ${read_only}, ${person}, ${view}, ${external_id}, ${now}, ${expiresAt}, ${expiresAt})`);
  return { token, expires_at: expiresAt.toISOString(), view, external_id, read_only };
}
