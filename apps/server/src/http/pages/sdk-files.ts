import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { App, Reply } from '../app.ts';

/** What the SDK's build says of itself. */
interface Release {
  readonly version: string;
  /** Version and content: another byte, another release. */
  readonly release: string;
  /** Of each file, for `integrity` attributes. */
  readonly integrity: Readonly<Record<string, string>>;
}

/**
 * The SDK for pages without a bundler. `/sdk/<release>/<file>` never changes and may be kept for
 * good; `/sdk/release.json` tells the present release, its files' paths and hashes;
 * `/sdk/<file>` is the newest one, for trying things out.
 */
export function addSdkFiles(app: App, folder: string): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/release.json',
    handler: async (_, reply) => {
      const { version, release, integrity } = await readRelease(folder);
      const files = Object.entries(integrity).map(([name, hash]) => [
        name,
        { path: `/sdk/${release}/${name}`, integrity: hash },
      ]);
      return forAnyone(reply, 'no-cache').send({
        version,
        release,
        files: Object.fromEntries(files),
      });
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/:release/:file',
    handler: async (request, reply) => {
      const { release, file } = request.params as { release: string; file: string };
      const built = await readRelease(folder);
      if (release !== built.release || !isPublished(built, file)) return reply.callNotFound();
      return sendFile(reply, file, 'public, max-age=31536000, immutable');
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/:file',
    handler: async (request, reply) => {
      const { file } = request.params as { file: string };
      if (!isPublished(await readRelease(folder), file)) return reply.callNotFound();
      return sendFile(reply, file, 'public, max-age=300');
    },
  });

  function sendFile(reply: Reply, file: string, cacheControl: string) {
    return forAnyone(reply, cacheControl).sendFile(file, folder, { cacheControl: false });
  }
}

/** Published files have a hash; each has a source map beside it, which debuggers fetch. */
function isPublished({ integrity }: Release, file: string): boolean {
  return Object.hasOwn(integrity, file.replace(/\.map$/, ''));
}

async function readRelease(folder: string): Promise<Release> {
  return JSON.parse(await readFile(join(folder, 'release.json'), 'utf8'));
}

/** A script with `integrity` is fetched by CORS, from any page. */
function forAnyone(reply: Reply, cacheControl: string): Reply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', cacheControl);
}
