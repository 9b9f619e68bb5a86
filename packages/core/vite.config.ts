import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;

/** Fields of our own records only: none is a setting, a message's field or the browser's. */
const internal =
  /^(given|settings|listeners|destroyed|widget|small|observer|request|active|run|missed|patience|shell|channel|ready|renewing|failed|settle|unlock|timer|renewFrame|host|paint|result|show|dialog|send|held|place|tenant)$/;

export function configOf(entry: string, format: 'es' | 'iife', fileName: string): InlineConfig {
  return {
    root: here,
    configFile: false,
    define: {
      SVC_SANDBOX_ORIGIN: JSON.stringify(process.env.SVC_SANDBOX_ORIGIN ?? 'http://localhost:4000'),
      SVC_PRODUCTION_ORIGIN: JSON.stringify(process.env.SVC_PRODUCTION_ORIGIN) ?? 'undefined',
    },
    resolve: { conditions: ['source'] },
    build: {
      target: 'es2022',
      // light-dark() stays as written: its polyfill would double the colors.
      cssTarget: ['chrome123', 'firefox121', 'safari17.5'],
      emptyOutDir: false,
      lib: { entry, formats: [format], name: 'Svc', fileName: () => fileName },
      rolldownOptions: {
        optimization: { inlineConst: { mode: 'all', pass: 2 } },
        output: {
          minify: {
            compress: true,
            mangle: true,
            codegen: true,
            mangleProps: { include: internal },
          },
        },
      },
    },
  };
}

/** The same for pages without a bundler, by a script tag. */
const scriptTag: Plugin = {
  name: 'script-tag',
  apply: (config) => config.build?.write !== false,
  async closeBundle() {
    await build({ ...configOf('src/script-tag.ts', 'iife', 'svc.iife.js'), logLevel: 'warn' });
  },
};

/** Our declarations name the contract's frame types, which is not published: they come along. */
const ownTypes: Plugin = {
  name: 'own-types',
  apply: (config) => config.build?.write !== false,
  closeBundle() {
    const dist = join(here, 'dist');
    const frame = join(here, '../contract/dist/frame.d.ts');
    if (!existsSync(frame)) return;
    copyFileSync(frame, join(dist, 'frame.d.ts'));
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.d.ts')) continue;
      const path = join(dist, name);
      const text = readFileSync(path, 'utf8');
      const to = join(relative(dirname(path), dist) || '.', 'frame.js').replace(/^(?!\.)/, './');
      const own = text.replaceAll("'@svc/contract/frame'", `'${to}'`);
      if (own !== text) writeFileSync(path, own);
    }
  },
};

export default defineConfig({
  ...configOf('src/index.ts', 'es', 'svc.js'),
  plugins: [scriptTag, ownTypes],
});
