import type { documentOutput } from '@svc/contract';
import { documentInput, documentKinds } from '@svc/contract';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { TenantActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { findDocument, type NamedDocument } from './find-document.ts';

export const documentPath = '/experience/document';

/** Long enough for a download manager that waits for a network, and shorter than a session's idle timeout. */
const lifetimeMs = 10 * 60_000;

/** Keeps other sealed values from being accepted as an address. */
const sealContext = 'address of a document';

const contents = z.object({
  partnerId: z.string(),
  sessionId: z.string(),
  kind: z.enum(documentKinds),
  id: z.string(),
  locale: documentInput.shape.locale,
  fileName: documentInput.shape.file_name,
  expiresAt: z.number(),
});

type DocumentAddress = z.infer<typeof contents>;

/**
 * Makes the address of one of the tenant's documents, for browsers and download managers, which cannot send the
 * session's token. Its last part is sealed, so it reveals nothing to those who see it, and nothing is stored.
 * @throws Refusal as `findDocument`
 */
export async function addressOfDocument(
  ctx: Ctx<TenantActor>,
  { fileName, ...named }: NamedDocument & Pick<DocumentAddress, 'fileName'>,
): Promise<z.input<typeof documentOutput>> {
  await findDocument(ctx, named);
  const { service, now, actor } = ctx;
  const { partnerId, sessionId } = actor;
  const expiresAt = now.getTime() + lifetimeMs;
  const address: DocumentAddress = { partnerId, sessionId, ...named, fileName, expiresAt };
  const sealed = service.vault.seal(JSON.stringify(address), sealContext);
  return {
    path: `${documentPath}/${sealed.toString('base64url')}`,
    expires_at: new Date(expiresAt).toISOString(),
  };
}

/**
 * Opens the sealed part of an address. The caller checks that the session is still open.
 * @throws Refusal `token_invalid` or `token_expired`
 */
export function openDocumentAddress(
  { service, now }: Pick<Ctx, 'service' | 'now'>,
  sealed: string,
): DocumentAddress {
  const address = openSealed(service, sealed);
  if (!address) throw new Refusal('token_invalid');
  if (address.expiresAt <= now.getTime()) throw new Refusal('token_expired');
  return address;
}

function openSealed(
  { vault }: Pick<Ctx['service'], 'vault'>,
  sealed: string,
): DocumentAddress | undefined {
  try {
    const text = vault.open(Buffer.from(sealed, 'base64url'), sealContext);
    return contents.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
