import { readdir } from 'node:fs/promises';
import type { App } from '../app.ts';

const types: Record<string, string> = {
  json: 'application/json; charset=utf-8',
  tsv: 'text/tab-separated-values; charset=utf-8',
};

/**
 * Serves the test vectors of both signatures at `/docs/vectors/<file>`, and a list of them at
 * `/docs/vectors`. Pages of any origin may read them, such as an online playground.
 */
export function addVectors(app: App, folder: string): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/vectors',
    handler: async (_, reply) => {
      const names = (await readdir(folder)).sort();
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'no-cache')
        .send({ files: names.map((name) => `/docs/vectors/${name}`) });
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/vectors/:file',
    handler: async (request, reply) => {
      const { file } = request.params as { file: string };
      const [, extension = ''] = /^[a-z-]+\.(json|tsv)$/.exec(file) ?? [];
      const type = types[extension];
      if (type === undefined) return reply.callNotFound();
      return reply
        .header('access-control-allow-origin', '*')
        .header('cache-control', 'public, max-age=300')
        .type(type)
        .sendFile(file, folder, { cacheControl: false });
    },
  });
}
