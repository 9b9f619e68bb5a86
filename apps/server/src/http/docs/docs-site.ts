import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../context.ts';
import type { App, Reply, Request } from '../app.ts';
import { CompressedText } from '../pages/compressed.ts';
import { htmlPage } from '../pages/html-page.ts';
import { sampleOrigin } from './read-docs-text.ts';
import type { ReaderLinks } from './reader-links.ts';

const textTypes: Readonly<Record<string, string>> = {
  md: 'text/markdown; charset=utf-8',
  txt: 'text/plain; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

interface DocsDeps {
  readonly service: Service;
  readonly readerLinks: ReaderLinks;
  /** The built site, with `docs/` in it. */
  readonly folder: string;
  sendPage(reply: Reply, html: string | Buffer): Reply;
}

/**
 * Serves the documentation at `/docs`: pages, their Markdown, pictures, and redirects from former
 * addresses; and for language models, its list of pages at `/llms.txt` and their text at `/llms-full.txt`.
 * Assets have a separate prefix (`add-pages.ts`). Only files of the build are served. Until it is complete,
 * each address answers with a page that says so and reloads.
 */
export function addDocsSite(app: App, { service, readerLinks, folder, sendPage }: DocsDeps): void {
  const root = join(folder, 'docs');
  let site: Site | undefined;

  const sendHtml = async (name: string, request: Request, reply: Reply) =>
    sendPage(reply, await (await readText(name)).bodyFor(request, reply));
  const sendText = async (name: string, request: Request, reply: Reply) =>
    reply.send(await (await readText(name)).bodyFor(request, reply));
  const texts = new Map<
    string,
    { readonly mtimeMs: number; readonly text: Promise<CompressedText> }
  >();

  /**
   * Reads a file once, however many requests ask for it in the same moment, and again after a build has
   * replaced it. Forty requests that each read the API reference stopped the service for half a second.
   */
  async function readText(name: string): Promise<CompressedText> {
    const file = join(root, name);
    const { mtimeMs } = await stat(file);
    const known = texts.get(name);
    if (known?.mtimeMs === mtimeMs) return known.text;
    const text = readFile(file, 'utf8').then(
      (content) => new CompressedText(content.replaceAll(sampleOrigin, service.publicOrigin)),
    );
    texts.set(name, { mtimeMs, text });
    // A file that could not be read is tried again.
    text.catch(() => texts.delete(name));
    return text;
  }

  function addRoute(
    url: string,
    send: (site: Site, request: Request, reply: Reply) => unknown,
  ): void {
    app.route({
      method: ['GET', 'HEAD'],
      url,
      handler: async (request, reply) => {
        site ??= await readSite(root);
        if (site !== undefined) return send(site, request, reply);
        return sendPage(reply.code(503).header('retry-after', '2'), notBuilt);
      },
    });
  }

  addRoute('/docs', (_, request, reply) => sendHtml('index.html', request, reply));
  addRoute('/docs/*', ({ files, redirects }, request, reply) => {
    const { '*': name } = request.params as { '*': string };
    if (name === '' || name.endsWith('/')) {
      return reply.redirect(withoutEndingSlashes(request.url), 308);
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
    return sendText(name, request, reply.header('cache-control', 'no-cache').type(type));
  });
  for (const name of ['llms.txt', 'llms-full.txt']) {
    addRoute(`/${name}`, (_, request, reply) =>
      sendText(
        name,
        request,
        reply.header('cache-control', 'no-cache').type('text/plain; charset=utf-8'),
      ),
    );
  }
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

interface Site {
  /** Paths below `/docs`. */
  readonly files: ReadonlySet<string>;
  /** New addresses by former ones. */
  readonly redirects: Readonly<Record<string, string>>;
}

/** The build writes the redirects last. Without them, it is not complete. */
async function readSite(root: string): Promise<Site | undefined> {
  const redirectsFile = 'redirects.json';
  let redirects: string;
  try {
    redirects = await readFile(join(root, redirectsFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  const names = await readdir(root, { recursive: true });
  const files = new Set(names.map((name) => name.replaceAll('\\', '/')));
  // The redirects are for this service, not for readers.
  files.delete(redirectsFile);
  return { files, redirects: JSON.parse(redirects) };
}

const notBuilt = htmlPage(
  'The docs are being built',
  [
    '<h1>The docs are being built</h1>',
    '<p><code>npm start</code> builds them in the background, in about half a minute. This page reloads until they are there.</p>',
    '<p>If they never come, the terminal says why. <code>npm run docs</code> builds them alone.</p>',
  ],
  '<meta http-equiv="refresh" content="2">',
);

/** The path without the slashes at its end, with its query. */
function withoutEndingSlashes(url: string): string {
  const query = url.includes('?') ? url.indexOf('?') : url.length;
  let end = query;
  while (end > 0 && url[end - 1] === '/') end -= 1;
  return url.slice(0, end) + url.slice(query);
}
