import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../context.ts';
import type { App, Reply, Request } from '../app.ts';
import { compressed } from '../pages/compressed.ts';
import type { ReaderLinks } from './reader-links.ts';

/** The origin in the samples of the built pages. Each service shows its own instead. */
const sampleOrigin = 'http://localhost:4000';

const textTypes: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

export interface DocsDeps {
  readonly service: Service;
  readonly readerLinks: ReaderLinks;
  /** The built site, with `docs/` in it. */
  readonly folder: string;
  sendPage(reply: Reply, html: string | Buffer): Reply;
}

/**
 * Serves the documentation at `/docs`: pages, their Markdown, pictures, and redirects from former
 * addresses; and its list of pages for language models at `/llms.txt`. Assets have a prefix of their own (`add-pages.ts`). Only files of the build are served.
 */
export function addDocsSite(app: App, { service, readerLinks, folder, sendPage }: DocsDeps): void {
  const root = join(folder, 'docs');
  if (!existsSync(root)) return;
  const files = new Set(
    readdirSync(root, { recursive: true, encoding: 'utf8' }).map((name) =>
      name.replaceAll('\\', '/'),
    ),
  );
  const redirects: Record<string, string> = JSON.parse(
    readFileSync(join(root, 'redirects.json'), 'utf8'),
  );

  const sendHtml = async (name: string, request: Request, reply: Reply) => {
    return sendPage(reply, await compressed(request, reply, await readText(name)));
  };
  const readText = async (name: string) =>
    (await readFile(join(root, name), 'utf8')).replaceAll(sampleOrigin, service.publicOrigin);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs',
    handler: (request, reply) => sendHtml('index.html', request, reply),
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/docs/*',
    handler: async (request, reply) => {
      const { '*': name } = request.params as { '*': string };
      if (name === '' || name.endsWith('/')) {
        return reply.redirect(request.url.replace(/\/+(?=$|\?)/, ''), 308);
      }
      const target = redirects[`/docs/${name}`];
      if (target !== undefined) return reply.redirect(target, 308);
      if (files.has(`${name}.html`)) return sendHtml(`${name}.html`, request, reply);
      const [, extension = ''] = /\.(\w+)$/.exec(name) ?? [];
      if (!files.has(name)) return reply.callNotFound();
      if (extension === 'png') {
        return reply
          .header('cache-control', 'public, max-age=300')
          .sendFile(name, root, { cacheControl: false });
      }
      const type = textTypes[extension];
      if (type === undefined) return reply.callNotFound();
      return reply
        .header('cache-control', 'no-cache')
        .type(type)
        .send(await readText(name));
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/llms.txt',
    handler: async (_, reply) =>
      reply
        .header('cache-control', 'no-cache')
        .type('text/plain; charset=utf-8')
        .send(await readText('llms.txt')),
  });
  app.route({
    method: 'POST',
    url: '/docs/reader',
    handler: async (request, reply) => {
      const { secret } = (request.body ?? {}) as { secret?: unknown };
      const reader = readerLinks.open(secret);
      if (reader === undefined) return reply.callNotFound();
      return reply.header('cache-control', 'no-store').send(reader);
    },
  });
}
