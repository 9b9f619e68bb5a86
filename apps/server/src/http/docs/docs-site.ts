import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@svc/db';
import type { Service } from '../../context.ts';
import { findNewestKey } from '../../domain/index.ts';
import type { App, Reply, Request } from '../app.ts';
import { compressed } from '../pages/compressed.ts';

/** The origin in the samples of the built pages. Each service shows its own instead. */
const sampleOrigin = 'http://localhost:4000';
const readerPath = '/docs/reader.json';

const textTypes: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
};

export interface DocsDeps {
  readonly db: Database;
  readonly service: Service;
  /** The built site, with `docs/` in it. */
  readonly folder: string;
  sendPage(reply: Reply, html: string | Buffer): Reply;
}

/**
 * Serves the documentation at `/docs`: pages, their Markdown, pictures, and redirects from former
 * addresses; and its list of pages for language models at `/llms.txt`. Assets have a prefix of their own (`add-pages.ts`). Only files of the build are served.
 */
export function addDocsSite(app: App, { db, service, folder, sendPage }: DocsDeps): void {
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
    const html = await readText(name);
    const shown = isLocal(service)
      ? html.replace('<html lang="en">', `<html lang="en" data-reader="${readerPath}">`)
      : html;
    return sendPage(reply, await compressed(request, reply, shown));
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
    method: 'GET',
    url: readerPath,
    handler: async (request, reply) => {
      const reader = isOwnBrowser(service, request) ? await findNewestKey(db, service) : null;
      if (reader === null) return reply.callNotFound();
      return reply.header('cache-control', 'no-store').send(reader);
    },
  });
}

/** A sandbox whose address is on the machine that runs it. */
function isLocal({ environment, publicOrigin }: Service): boolean {
  const { hostname } = new URL(publicOrigin);
  return environment === 'sandbox' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}

/**
 * True if a page of this service asks, in a browser on the same machine. Another site's page has
 * another `Sec-Fetch-Site`, a name that resolves to this machine has another `Host`, and a tunnel or
 * proxy adds a forwarding header. Programs do not send `Sec-Fetch-Site`.
 */
function isOwnBrowser(service: Service, { headers, socket }: Request): boolean {
  const peer = socket.remoteAddress ?? '';
  return (
    isLocal(service) &&
    /^(127\.|::1$|::ffff:127\.)/.test(peer) &&
    headers.host === new URL(service.publicOrigin).host &&
    headers['sec-fetch-site'] === 'same-origin' &&
    headers.forwarded === undefined &&
    headers['x-forwarded-for'] === undefined
  );
}
