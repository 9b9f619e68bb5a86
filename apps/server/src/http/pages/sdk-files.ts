import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Service } from '../../context.ts';
import type { App, Reply } from '../app.ts';
import { readPackages } from './sdk-packages.ts';

/** The file that the SDK's build writes about itself. */
interface Release {
  readonly version: string;
  /** Version and content hash: it changes with every changed byte. */
  readonly release: string;
  /** The `integrity` attribute of each file. */
  readonly integrity: Readonly<Record<string, string>>;
}

/** The folders that are served together below `/sdk`. */
interface SdkFolders {
  /** The scripts, for pages without a bundler. */
  readonly scripts: string;
  /** The packages as tarballs, for npm. */
  readonly packages: string;
}

/**
 * Serves the SDK to pages without a bundler, and its packages to npm. `/sdk/<release>/<file>` never
 * changes and can be cached forever. `/sdk/release.json` names the current release with the paths and
 * hashes of its files, and the environment, by which the SDK's diagnostics find a page that points to
 * the wrong one. `/sdk/<file>` is the newest version: scripts for trying things out, and each package
 * under the name that npm's lock file keeps.
 */
export function addSdkFiles(
  app: App,
  { environment }: Service,
  { scripts, packages }: SdkFolders,
): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/release.json',
    handler: async (_, reply) => {
      const [{ version, release, integrity }, packed] = await Promise.all([
        readRelease(scripts),
        readPackages(packages),
      ]);
      const files = Object.entries(integrity).map(([name, hash]) => [
        name,
        { path: pathOf(release, name), integrity: hash },
      ]);
      const tarballs = packed.packages.map(({ name, version, file, integrity, size }) => [
        name,
        {
          version,
          path: `/sdk/${file}`,
          permanent_path: pathOf(packed.release, file),
          integrity,
          size,
        },
      ]);
      return withCorsHeaders(reply, 'no-cache').send({
        environment,
        version,
        release,
        files: Object.fromEntries(files),
        packages: Object.fromEntries(tarballs),
      });
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/:release/:file',
    handler: async (request, reply) => {
      const { release, file } = request.params as { release: string; file: string };
      const folder = await folderOf(file, release);
      if (folder === null) return reply.callNotFound();
      return sendFile(reply, file, folder, 'public, max-age=31536000, immutable');
    },
  });
  app.route({
    method: ['GET', 'HEAD'],
    url: '/sdk/:file',
    handler: async (request, reply) => {
      const { file } = request.params as { file: string };
      const folder = await folderOf(file);
      if (folder === null) return reply.callNotFound();
      // A build from sources can have other bytes under the same version. npm's cache asks, and a
      // package that has not changed costs one 304.
      const caching = folder === packages ? 'no-cache' : 'public, max-age=300';
      return sendFile(reply, file, folder, caching);
    },
  });

  /** The folder of a published file, or null. With `release`, only if that is the current one. */
  async function folderOf(file: string, release?: string): Promise<string | null> {
    if (file.endsWith('.tgz')) {
      const packed = await readPackages(packages);
      const isCurrent = release === undefined || release === packed.release;
      return isCurrent && packed.packages.some((it) => it.file === file) ? packages : null;
    }
    const built = await readRelease(scripts);
    const isCurrent = release === undefined || release === built.release;
    return isCurrent && isPublished(built, file) ? scripts : null;
  }

  function sendFile(reply: Reply, file: string, folder: string, cacheControl: string) {
    return withCorsHeaders(reply, cacheControl).sendFile(file, folder, { cacheControl: false });
  }
}

/** A script of the current release with its hash, or null where the SDK is not built. */
export async function readScriptTag(
  folder: string,
  name: 'svc.iife.js' | 'webview-page.js',
): Promise<{ readonly path: string; readonly integrity: string } | null> {
  try {
    const { release, integrity } = await readRelease(folder);
    return { path: pathOf(release, name), integrity: integrity[name] ?? '' };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

function pathOf(release: string, file: string): string {
  return `/sdk/${release}/${file}`;
}

/** Returns whether the file is published: it has a hash, or it is the source map of one that has. */
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
