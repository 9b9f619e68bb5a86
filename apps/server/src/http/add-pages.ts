import { join } from 'node:path';
import type { Database } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Service } from '../context.ts';
import { readAppearance } from '../domain/partners/appearance.ts';
import { findPartnerByPms } from '../domain/partners/find-partner.ts';
import { returnPath } from '../domain/payments/processor.ts';
import { visitPath } from '../domain/payments/visits.ts';
import { type App, type Reply, type Request, serveFiles } from './app.ts';
import { addBankPages } from './bank-pages.ts';
import { collectionOf } from './docs/collection.ts';
import { addDocsSite } from './docs/docs-site.ts';
import type { ReaderLinks } from './docs/reader-links.ts';
import { servedDocument } from './docs/served-document.ts';
import { addVectors } from './docs/vectors.ts';
import { clientOf } from './edge/client-of.ts';
import type { LoadLimit } from './edge/limit-load.ts';
import type { RateLimits } from './edge/rate-limit.ts';
import { addBrandFiles } from './pages/brand-files.ts';
import { CompressedText, createRecentPages } from './pages/compressed.ts';
import {
  consoleFramePage,
  experiencePage,
  frameAncestors,
  inlineHashes,
  storedAncestors,
} from './pages/experience-page.ts';
import { htmlPage, readStyles } from './pages/html-page.ts';
import { addSdkFiles, readScriptTag } from './pages/sdk-files.ts';
import { packagesPage, readPackages } from './pages/sdk-packages.ts';
import { returnedPage, visitPage } from './pages/visit-pages.ts';
import { webviewPage, webviewPath } from './pages/webview-page.ts';

/** The folders of the built front ends. */
export interface PageFolders {
  readonly experience: string;
  readonly console: string;
  readonly operator: string;
  readonly sdk: string;
  readonly styles: string;
  /** The root of the repository, which holds the built docs, test vectors and packed packages. */
  readonly guides: string;
}

interface PageDeps {
  readonly clock: Clock;
  readonly db: Database;
  readonly limits: Pick<RateLimits, 'pages'>;
  readonly load: LoadLimit;
  readonly service: Service;
  readonly folders: PageFolders;
  readonly readerLinks: ReaderLinks;
}

/**
 * Adds everything a browser opens: the experience, the consoles, the SDK files and the docs. Pages
 * need no key, so each address has a limit for all of them. Only assets, which browsers cache, have none.
 */
export async function addPages(app: App, deps: PageDeps): Promise<void> {
  const { limits, load } = deps;
  await addAssets(app, deps);
  await app.register(async (pages) => {
    pages.addHook('onRequest', async ({ ip }) => {
      const address = clientOf(ip);
      load.check(address);
      limits.pages.take(address);
    });
    addLimitedPages(pages, deps);
  });
}

function addLimitedPages(
  app: App,
  { clock, db, service, folders, load, readerLinks }: PageDeps,
): void {
  const recentPage = createRecentPages();
  addSdk(app, service, folders);
  addBrandFiles(app, { db, load });
  const findNamedPartner = (request: Request) =>
    load.run(clientOf(request.ip), async () => {
      const { pms } = request.params as { pms: string };
      const partner = await findPartnerByPms(db, pms);
      return partner && { partner, appearance: await readAppearance(db, partner.id) };
    });
  addPage(app, '/experience/:pms', async (request, reply) => {
    const found = await findNamedPartner(request);
    if (!found) return send(reply.code(404), unknownPortal, "'none'");
    const { partner, appearance } = found;
    const html = await experiencePage(folders.experience, service, partner, appearance);
    const inline = inlineHashes(html);
    // A document is downloaded in a frame.
    const headers = pageHeaders(frameAncestors(service, partner), { inline, frames: "'self'" });
    return sendHtml(reply, headers, await recentPage(html).bodyFor(request, reply));
  });
  for (const [path, html] of [
    [visitPath, visitPage],
    [returnPath, returnedPage],
  ] as const) {
    addPage(app, path, async (_, reply) =>
      sendHtml(reply, pageHeaders("'none'", { inline: inlineHashes(html) }), html),
    );
  }
  const { simulator } = service;
  if (simulator !== null) {
    const sendBank = (reply: Reply, html: string) => {
      const inline = inlineHashes(html);
      return sendHtml(reply, pageHeaders("'none'", { inline, formAction: "'self'" }), html);
    };
    addBankPages(app, { db, clock, service, simulator, send: sendBank });
  }
  // In the sandbox, the console shows what tenants see in a frame.
  const consoleFrames = service.environment === 'sandbox' ? { frames: "'self'" } : {};
  addConsole(app, '/portal', folders.console, consoleFrames);
  addPage(app, '/portal/frame/:pms', async (request, reply) => {
    const found = await findNamedPartner(request);
    if (!found) return send(reply.code(404), unknownPortal, "'none'");
    const { partner, appearance } = found;
    const html = await consoleFramePage(folders.console, partner, appearance);
    const headers = pageHeaders(storedAncestors(partner));
    return sendHtml(reply, headers, await recentPage(html).bodyFor(request, reply));
  });
  if (service.operatorOrigin !== null) addConsole(app, '/operator', folders.operator);
  addPage(app, '/', async (_, reply) => send(reply, indexPage(service), "'none'"));
  addPage(app, '/docs/style.css', async (_, reply) =>
    reply.type('text/css; charset=utf-8').send(await readStyles(folders.styles)),
  );
  addVectors(app, join(folders.guides, 'packages/contract/vectors'));
  let collection: CompressedText | undefined;
  addPage(app, '/docs/collection.json', async (request, reply) => {
    collection ??= new CompressedText(
      JSON.stringify(collectionOf(servedDocument(service).document)),
    );
    return reply
      .header('access-control-allow-origin', '*')
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(await collection.bodyFor(request, reply));
  });
  const sendPage = (reply: Reply, html: string | Buffer) =>
    sendHtml(reply, pageHeaders("'none'"), html);
  const folder = join(folders.guides, 'apps/docs/dist');
  addDocsSite(app, { service, readerLinks, folder, sendPage });
}

/** Adds a console, whose router reads the rest of the address. */
function addConsole(
  app: App,
  url: string,
  folder: string,
  frames: { readonly frames?: string } = {},
): void {
  const page: Handler = async (_, reply) =>
    reply
      .headers(pageHeaders("'none'", frames))
      .header('cache-control', 'no-cache')
      .sendFile('index.html', folder, { cacheControl: false });
  addPage(app, url, page);
  addPage(app, `${url}/*`, page);
}

async function addAssets(app: App, { folders, service }: PageDeps): Promise<void> {
  const operator = { prefix: '/operator/assets/', root: join(folders.operator, 'assets') };
  const assets = [
    { prefix: '/experience/assets/', root: join(folders.experience, 'assets') },
    { prefix: '/portal/assets/', root: join(folders.console, 'assets') },
    ...(service.operatorOrigin === null ? [] : [operator]),
    { prefix: '/docs/assets/', root: join(folders.guides, 'apps/docs/dist/docs/assets') },
  ];
  const immutable = {
    immutable: true,
    maxAge: 31_536_000_000,
    index: false as const,
    preCompressed: true,
    // Files this small need no range requests, and an invalid range would need an error answer.
    acceptRanges: false,
    // The docs may be built after the start.
    suppressWarning: true,
  };
  for (const [index, folder] of assets.entries()) {
    await serveFiles(app, { ...folder, decorateReply: index === 0, ...immutable });
  }
}

function addSdk(app: App, service: Service, folders: PageFolders): void {
  const packages = join(folders.guides, 'dist/sdk');
  addSdkFiles(app, service, { scripts: folders.sdk, packages });
  addPage(app, '/sdk', async (_, reply) => {
    const [index, script] = await Promise.all([
      readPackages(packages),
      readScriptTag(folders.sdk, 'svc.iife.js'),
    ]);
    return send(reply, packagesPage(service.publicOrigin, index, script), "'none'");
  });
  addPage(app, webviewPath, async (_, reply) => {
    const html = webviewPage(await readScriptTag(folders.sdk, 'webview-page.js'));
    const headers = pageHeaders("'none'", { inline: inlineHashes(html), frames: "'self'" });
    return sendHtml(reply, headers, html);
  });
}

type Handler = (request: Request, reply: Reply) => Promise<unknown>;

/** Adds a page, and a redirect to it from the same address with a slash at the end. */
function addPage(app: App, url: string, handler: Handler): void {
  app.route({ method: ['GET', 'HEAD'], url, handler });
  if (url.endsWith('/') || url.endsWith('*')) return;
  app.route({
    method: ['GET', 'HEAD'],
    url: `${url}/`,
    handler: async (request, reply) => reply.redirect(request.url.replace(/\/(?=$|\?)/, ''), 308),
  });
}

function send(reply: Reply, html: string, ancestors: string): Reply {
  return sendHtml(reply, pageHeaders(ancestors), html);
}

function sendHtml(reply: Reply, headers: Record<string, string>, html: string | Buffer): Reply {
  return reply
    .headers(headers)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html);
}

interface PagePolicy {
  readonly inline?: ReturnType<typeof inlineHashes>;
  readonly formAction?: string;
  readonly frames?: string;
}

export function pageHeaders(
  ancestors: string,
  { inline = { scripts: [], styles: [] }, formAction = "'none'", frames }: PagePolicy = {},
): Record<string, string> {
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...inline.scripts].join(' '),
    ["style-src 'self'", ...inline.styles].join(' '),
    "connect-src 'self'",
    "img-src 'self' data:",
    "font-src 'self'",
    ...(frames === undefined ? [] : [`frame-src ${frames}`]),
    "base-uri 'none'",
    `form-action ${formAction}`,
    `frame-ancestors ${ancestors}`,
  ];
  return {
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex, nofollow',
  };
}

/** Sends the page for an unknown address. Programs get the JSON error instead. */
export function sendNotFound(reply: Reply): Reply {
  return send(reply.code(404), notFound, "'none'");
}

const notFound = htmlPage('Not found', [
  '<h1>There is nothing at this address</h1>',
  '<p>Check it for a typo, or start from <a href="/docs">the docs</a>.</p>',
]);

const unknownPortal = htmlPage('Unknown portal', [
  '<h1>There is no portal with this name</h1>',
  '<p>Check the <code>pms</code> setting of the widget.</p>',
]);

function indexPage({ environment }: Service): string {
  return htmlPage('Svc', [
    '<h1>Svc</h1>',
    `<p><span class="svc-badge">${environment}</span> This service is running.</p>`,
    '<ul>',
    '<li><a href="/docs">Documentation</a></li>',
    '<li><a href="/docs/api">API reference</a></li>',
    '<li><a href="/v1/openapi.json">OpenAPI 3.1</a></li>',
    '</ul>',
  ]);
}
