import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply } from 'fastify';

/** The paths of the built files. */
export interface DemoFiles {
  /** The folder of the pages. */
  readonly pages: string;
  /** The SDK as a single ES module, for partners without a bundler. Its Spanish locale, `es.js`, is next to it. */
  readonly sdk: string;
}

/** Returns the paths of the files in this repository. */
function builtFiles(): DemoFiles {
  const require = createRequire(import.meta.url);
  return {
    pages: join(dirname(require.resolve('@svc/demo-portal/package.json')), 'dist/web'),
    sdk: join(dirname(require.resolve('@svc/core')), '../dist/svc.js'),
  };
}

/** Serves the built pages. The portal's pages have the strictest CSP that a partner could use. */
export async function servePages(
  app: FastifyInstance,
  serviceOrigin: string,
  { pages: built, sdk }: DemoFiles = builtFiles(),
): Promise<void> {
  for (const file of [join(built, 'index.html'), sdk]) {
    if (!existsSync(file)) throw new Error('The demo portal is not built: run "npm run build".');
  }
  await app.register(fastifyStatic, {
    root: built,
    index: false,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const hashed = path.includes('/assets/');
      reply.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      reply.header('x-content-type-options', 'nosniff');
    },
  });
  const page = (name: string, policy: string) => (_request: unknown, reply: FastifyReply) =>
    reply
      .header('content-security-policy', policy)
      .header('referrer-policy', 'strict-origin-when-cross-origin')
      .sendFile(name);
  // The demo shows the portal in a frame, which is the only thing that it may frame.
  const demoPolicy = contentSecurityPolicy({ frames: "'self'", ancestors: "'none'" });
  app.get('/', page('index.html', demoPolicy));
  const portalPolicy = contentSecurityPolicy({
    service: serviceOrigin,
    frames: serviceOrigin,
    ancestors: "'self'",
  });
  for (const path of ['', '/payments', '/lease']) {
    app.get(`/portal${path}`, page('portal.html', portalPolicy));
  }
  app.get('/plain', page('plain.html', portalPolicy));
  app.get('/office', page('office.html', portalPolicy));
  for (const [name, path] of [
    ['svc.js', sdk],
    ['es.js', join(dirname(sdk), 'es.js')],
    ['staff.js', join(dirname(sdk), 'staff.js')],
  ] as const) {
    app.get(`/vendor/${name}`, (_request, reply) =>
      reply
        .type('text/javascript; charset=utf-8')
        .header('cache-control', 'no-cache')
        .send(readFileSync(path)),
    );
  }
}

/** Returns a CSP without inline scripts or styles. The only other origin is the service's, if it is allowed. */
function contentSecurityPolicy(allowed: {
  service?: string;
  frames: string;
  ancestors: string;
}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${allowed.service ?? ''}`.trim(),
    `frame-src ${allowed.frames}`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${allowed.ancestors}`,
    "require-trusted-types-for 'script'",
  ].join('; ');
}
