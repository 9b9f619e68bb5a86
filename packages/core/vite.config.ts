import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';
import { minifiedCss } from './build/minify-css.ts';
import { shortNames } from './build/short-names.ts';
import { stateInClosure } from './build/state-in-closure.ts';

const here = import.meta.dirname;

export function configOf(
  entry: string,
  format: 'es' | 'iife',
  fileName: string,
  beside: Plugin[] = [],
): InlineConfig {
  const isExtra = beside.length > 0;
  return {
    root: here,
    configFile: false,
    plugins: [minifiedCss, stateInClosure, ...(isExtra ? beside : [shortNames])],
    define: {
      SVC_SANDBOX_ORIGIN: JSON.stringify(process.env.SVC_SANDBOX_ORIGIN ?? 'http://localhost:4000'),
      SVC_PRODUCTION_ORIGIN: JSON.stringify(process.env.SVC_PRODUCTION_ORIGIN) ?? 'undefined',
    },
    resolve: { conditions: ['source'] },
    build: {
      target: 'es2022',
      cssMinify: false,
      emptyOutDir: false,
      lib: { entry, formats: [format], name: 'Svc', fileName: () => fileName },
      rolldownOptions: {
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        output: {
          minify: { compress: true, mangle: isExtra, codegen: true },
        },
      },
    },
  };
}

/** What a page loads besides, each alone; they take the SDK itself from the file beside them. */
const extras = {
  'element.js': 'src/tag/define-svc-widget.ts',
  'message.js': 'src/message/create-message.ts',
  'es.js': 'src/locales/es.ts',
  'testing.js': 'src/testing/index.ts',
};

/** The extras, the same SDK for a script tag, and what a page needs to load each by its hash. */
const alsoBuilt: Plugin = {
  name: 'also-built',
  apply: (config) => config.build?.write !== false,
  async closeBundle() {
    const quiet = { logLevel: 'warn' } as const;
    await build({ ...configOf('src/script-tag.ts', 'iife', 'svc.iife.js'), ...quiet });
    for (const [fileName, entry] of Object.entries(extras)) {
      await build({ ...configOf(entry, 'es', fileName, [besideSdk]), ...quiet });
    }
    writeRelease(['svc.iife.js', 'svc.js', ...Object.keys(extras)]);
  },
};

export const besideSdk: Plugin = {
  name: 'beside-sdk',
  enforce: 'pre',
  resolveId: (id) =>
    /^\.\.?\/index\.ts$/.test(id) ? { id: './svc.js', external: true } : undefined,
};

/** `release` changes with any byte of any file, so that its addresses can be cached for good. */
function writeRelease(names: string[]): void {
  const dist = join(here, 'dist');
  const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'));
  const whole = createHash('sha256');
  const integrity: Record<string, string> = {};
  for (const name of names) {
    const content = readFileSync(join(dist, name));
    whole.update(content);
    integrity[name] = `sha384-${createHash('sha384').update(content).digest('base64')}`;
  }
  const release = `${version}-${whole.digest('hex').slice(0, 12)}`;
  writeFileSync(join(dist, 'release.json'), `${JSON.stringify({ version, release, integrity })}\n`);
}

const sdk = configOf('src/index.ts', 'es', 'svc.js');
export default defineConfig({ ...sdk, plugins: [sdk.plugins, alsoBuilt] });
