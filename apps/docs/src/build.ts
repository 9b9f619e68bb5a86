import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { eventTypes, webhookSchemaOf } from '@svc/contract';
import { build as bundle } from 'vite';
import { type BuiltSite, blockedByPolicy, brokenLinks } from './generate/check-links.ts';
import { markdownPath, renderLayout, type Site } from './generate/layout.ts';
import { llmsFullText, llmsText } from './generate/llms.ts';
import { readPages } from './generate/pages.ts';
import { redirectPage } from './generate/redirect-page.ts';
import { type RenderedPage, renderPage } from './generate/render-page.ts';
import { referencePages } from './reference/index.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const app = join(root, 'apps/docs');
const dist = join(app, 'dist');

// `npm run docs`: writes the site to apps/docs/dist, for the service and for any static host.
await buildSite();

async function buildSite(): Promise<void> {
  const pages = readPages(root);
  const pathsByFile = new Map(pages.map(({ file, path }) => [file, path]));
  const context = { root, pathsByFile };
  const rendered: RenderedPage[] = pages.map((page) => renderPage(page, context));
  const reference = await referencePages();
  const referenceIndex = rendered.findIndex(({ section }) => section === 'Reference');
  rendered.splice(referenceIndex === -1 ? rendered.length : referenceIndex, 0, ...reference);

  rmSync(dist, { recursive: true, force: true });
  const assets = await writeAssets(rendered);
  const site: Site = { pages: rendered, assets };
  const html = new Map(rendered.map((page) => [page.path, renderLayout(site, page)]));
  const redirects = Object.fromEntries(
    pages.flatMap(({ aliases, path }) => aliases.map((alias) => [alias, path] as const)),
  );

  for (const [path, text] of html) writeOutput(htmlFile(path), text);
  for (const page of rendered) writeOutput(markdownPath(page.path).slice(1), page.markdown);
  for (const [from, to] of Object.entries(redirects))
    writeOutput(htmlFile(from), redirectPage(to, 'Moved'));
  writeOutput('index.html', redirectPage('/docs', 'Svc docs'));
  // Their usual place is the root of a host. The copies below /docs are for a site that shares its host.
  for (const folder of ['', 'docs/']) {
    writeOutput(`${folder}llms.txt`, llmsText(rendered, assets.search));
    writeOutput(`${folder}llms-full.txt`, llmsFullText(rendered));
  }
  for (const [name, schema] of eventSchemas())
    writeOutput(`docs/schemas/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`);
  cpSync(join(root, 'docs/pictures'), join(dist, 'docs/pictures'), { recursive: true });

  const files = new Set(
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .map((name) => `/${name.replaceAll('\\', '/')}`)
      .filter((name) => !name.endsWith('.html')),
  );
  const built: BuiltSite = {
    html,
    files,
    elsewhere: /^\/(v1\/|sdk\/|sdk$|docs\/vectors\/|portal$)/,
  };
  const problems = [...brokenLinks(built), ...blockedByPolicy(html)];
  if (problems.length > 0) throw new Error(`The pages have problems:\n${problems.join('\n')}`);
  // Written last, because for the service this file means that the site is complete.
  writeOutput('docs/redirects.json', JSON.stringify(redirects, null, 2));
  process.stdout.write(`docs: ${html.size} pages\n`);
}

/** Returns a JSON Schema for the body of each webhook by event type, and one for all of them. */
function eventSchemas(): [string, object][] {
  const schemas = eventTypes.map((type) => [type, webhookSchemaOf(type)] as [string, object]);
  const all = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Webhooks',
    description: 'The body of any webhook. Ignore types that you do not know.',
    oneOf: schemas.map(([, schema]) =>
      Object.fromEntries(Object.entries(schema).filter(([name]) => name !== '$schema')),
    ),
  };
  return [['events', all], ...schemas];
}

function htmlFile(path: string): string {
  return path === '/docs' ? 'docs/index.html' : `${path.slice(1)}.html`;
}

function writeOutput(name: string, content: string | Buffer): void {
  const path = join(dist, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

/** Bundles scripts and styles, writes the search index, and compresses all of them. */
async function writeAssets(pages: readonly RenderedPage[]): Promise<Site['assets']> {
  const [script, theme] = [
    await bundleScript('src/client/main.ts', 'es'),
    await bundleScript('src/client/theme.ts', 'iife'),
  ];
  const styles = ['packages/ui/src/tokens.css', 'apps/docs/src/client/styles.css']
    .map((file) => readFileSync(join(root, file), 'utf8'))
    .concat(referenceStyles())
    .join('\n');
  const search = JSON.stringify(pages.flatMap((page) => page.search));
  return {
    script: writeAsset('main', 'js', script),
    theme: writeAsset('theme', 'js', theme),
    styles: writeAsset('docs', 'css', styles),
    search: writeAsset('search', 'json', search),
  };
}

/** Returns the reference's own styles, if there are any. */
function referenceStyles(): string[] {
  const file = join(app, 'src/reference/reference.css');
  return existsSync(file) ? [readFileSync(file, 'utf8')] : [];
}

async function bundleScript(entry: string, format: 'es' | 'iife'): Promise<string> {
  const result = await bundle({
    root: app,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2023',
      modulePreload: false,
      rollupOptions: { input: join(app, entry), output: { format } },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error(`${entry} was not bundled.`);
  return chunk.code;
}

function writeAsset(name: string, extension: string, content: string): string {
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 10);
  const file = `docs/assets/${name}-${hash}.${extension}`;
  writeOutput(file, content);
  writeOutput(`${file}.br`, brotliCompressSync(content));
  writeOutput(`${file}.gz`, gzipSync(content, { level: 9 }));
  return `/${file}`;
}
