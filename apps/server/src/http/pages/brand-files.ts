import type { Database } from '@svc/db';
import { findFile } from '../../domain/partners/appearance.ts';
import { findPartnerByPms } from '../../domain/partners/find-partner.ts';
import type { App } from '../app.ts';
import { clientOf } from '../edge/client-of.ts';
import type { LoadLimit } from '../edge/limit-load.ts';

const types = { logo: 'image/png', font: 'font/woff2' } as const;

/**
 * Serves the logos and fonts that partners have uploaded. Their addresses contain a hash, so they can
 * be cached forever. Mail programs and other sites may show a logo; a font is for our pages only.
 */
export function addBrandFiles(
  app: App,
  { db, load }: { readonly db: Database; readonly load: LoadLimit },
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/brand/:pms/:file',
    handler: async (request, reply) => {
      const { pms, file } = request.params as { pms: string; file: string };
      const found = await load.run(clientOf(request.ip), async () => {
        const partner = await findPartnerByPms(db, pms);
        return partner && findFile(db, partner.id, file);
      });
      if (!found) return reply.callNotFound();
      return reply
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header(
          'cross-origin-resource-policy',
          found.kind === 'logo' ? 'cross-origin' : 'same-origin',
        )
        .type(types[found.kind])
        .send(found.bytes);
    },
  });
}
