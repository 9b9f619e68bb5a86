import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../context.ts';
import type { App, Reply } from '../app.ts';

/** The file that the SDK's build writes about itself. */
interface Release {
  readonly version: string;
  /** Version and content hash: it changes with every changed byte. */
  readonly release: string;
  /** The `integrity` attribute of each file. */
  readonly integrity: Readonly<Record<string, string>>;
}

/**
 * Serves the SDK to pages without a bundler. `/sdk/<release>/<file>` never changes and can be cached
 * forever. `/sdk/release.json` names the current release with the paths and hashes of its files, and
 * the environment, by which the SDK's diagnostics find a page that points to the wrong one.
 * `/sdk/<file>` is the newest version, for trying things out.
 */
export function addSdkFiles(app: App, { environment }: Service, folder: string): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/release.json',
    handler: async (_, reply) => {
      const { version, release, integrity } = await readRelease(folder);
      const files = Object.entries(integrity).map(([name, hash]) => [
        name,
        { path: `/sdk/${release}/${name}`, integrity: hash },
      ]);
      return withCorsHeaders(reply, 'no-cache').send({
        environment,
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
    return withCorsHeaders(reply, cacheControl).sendFile(file, folder, { cacheControl: false });
  }
}

/** Whether the file is published: it has a hash, or it is the source map of one that has. */
function isPublished({ integrity }: Release, file: string): boolean {
  return Object.hasOwn(integrity, file.replace(/\.map$/, ''));
}

async function readRelease(folder: string): Promise<Release> {
  return JSON.parse(await readFile(join(folder, 'release.json'), 'utf8'));
}

/** Any page may load the files; browsers fetch a script with `integrity` in CORS mode. */
function withCorsHeaders(reply: Reply, cacheControl: string): Reply {
  return reply
    .header('access-control-allow-origin', '*')
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('cache-control', cacheControl);
}
