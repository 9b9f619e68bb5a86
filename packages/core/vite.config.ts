import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { precompress } from '../../scripts/steps/precompress.mjs';

const packageFolder = import.meta.dirname;

/** The oldest browsers of the README. They know light-dark(), so Vite must not rewrite it. */
const browsers = ['chrome123', 'edge123', 'firefox121', 'safari17.5'];

interface Entry {
  readonly source: string;
  readonly default: string;
}

const { exports: entries } = JSON.parse(
  readFileSync(join(packageFolder, 'package.json'), 'utf8'),
) as { exports: Record<string, Entry> };

/**
 * Entries that a page loads next to the SDK, from `exports` of package.json: file name and source.
 * They import the SDK from `./svc.js`.
 */
const extraEntries = Object.entries(entries)
  .filter(([name]) => name !== '.')
  .map(([, entry]) => [basename(entry.default), entry.source] as const);

/** Not an entry of the package: the SDK on a sandbox page loads it from the service. */
export const diagnostics = 'src/diagnostics/diagnostics.ts';

/** Not an entry either: the service's page in an app's WebView loads it. */
const webviewPage = 'src/webview/page.ts';

/** The Vite configuration for one entry, as one minified file with a source map. */
export function configFor(
  entry: string,
  format: 'es' | 'iife',
  fileName: string,
  plugins: Plugin[] = [],
): InlineConfig {
  return {
    root: packageFolder,
    configFile: false,
    plugins: [...plugins, precompress()],
    define: {
      SVC_SANDBOX_ORIGIN: JSON.stringify(process.env.SVC_SANDBOX_ORIGIN ?? 'http://localhost:4000'),
      SVC_PRODUCTION_ORIGIN: JSON.stringify(process.env.SVC_PRODUCTION_ORIGIN) ?? 'undefined',
    },
    resolve: { conditions: ['source'] },
    build: {
      target: browsers,
      sourcemap: true,
      emptyOutDir: false,
      lib: { entry, formats: [format], name: 'Svc', fileName: () => fileName },
      // Vite keeps the whitespace of ES libraries by default; this one is also loaded by pages.
      rolldownOptions: { output: { minify: true } },
    },
  };
}

/** Keeps `../index.ts` out of an extra entry's bundle, so that a page has one copy of the SDK. */
export const importSdkFromFile: Plugin = {
  name: 'import-sdk-from-file',
  enforce: 'pre',
  resolveId: (id) =>
    /^\.\.?\/index\.ts$/.test(id) ? { id: './svc.js', external: true } : undefined,
};

/** Builds the other files after `svc.js`: the build for script tags, the extra entries, and release.json. */
const buildOtherFiles: Plugin = {
  name: 'build-other-files',
  apply: (config) => config.build?.write !== false,
  async closeBundle() {
    await build({ ...configFor('src/script-tag.ts', 'iife', 'svc.iife.js'), logLevel: 'warn' });
    for (const [fileName, entry] of extraEntries) {
      await build({ ...configFor(entry, 'es', fileName, [importSdkFromFile]), logLevel: 'warn' });
    }
    await build({ ...configFor(diagnostics, 'es', 'diagnostics.js'), logLevel: 'warn' });
    await build({ ...configFor(webviewPage, 'es', 'webview-page.js'), logLevel: 'warn' });
    const extraFiles = extraEntries.map(([fileName]) => fileName);
    writeRelease(['svc.iife.js', 'svc.js', ...extraFiles, 'diagnostics.js', 'webview-page.js']);
  },
};

/** Names the release by a hash of all files, so that its URLs can be cached forever. */
function writeRelease(fileNames: string[]): void {
  const dist = join(packageFolder, 'dist');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const releaseHash = createHash('sha256');
  const integrity: Record<string, string> = {};
  for (const fileName of fileNames) {
    const content = readFileSync(join(dist, fileName));
    releaseHash.update(content);
    integrity[fileName] = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  }
  const release = `${version}-${releaseHash.digest('hex').slice(0, 12)}`;
  writeFileSync(join(dist, 'release.json'), `${JSON.stringify({ version, release, integrity })}\n`);
}

export default defineConfig(configFor('src/index.ts', 'es', 'svc.js', [buildOtherFiles]));
