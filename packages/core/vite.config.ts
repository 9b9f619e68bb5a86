import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { build, defineConfig, type InlineConfig, type Plugin } from 'vite';

const here = import.meta.dirname;

/** Fields of our own records only: none is a setting, a message's field or the browser's. */
const internal =
  /^(given|settings|listeners|destroyed|widget|small|observer|request|active|run|missed|patience|shell|channel|phase|renewing|say|settle|unlock|timer|renewFrame|host|paint|result|show|dialog|send|held|place|tenant)$/;

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

/**
 * Our declarations name the contract's frame types, which is not published: they come along, in a
 * folder of their own, because the compiler reads its own output again.
 */
const ownTypes: Plugin = {
  name: 'own-types',
  apply: (config) => config.build?.write !== false,
  closeBundle() {
    const dist = join(here, 'dist');
    const types = join(dist, 'types');
    const frame = join(here, '../contract/dist/frame.d.ts');
    if (!existsSync(frame)) return;
    rmSync(types, { recursive: true, force: true });
    for (const name of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.d.ts') || name.endsWith('.test.d.ts')) continue;
      const to = relative(dirname(name), 'frame.js').replace(/^(?!\.)/, './');
      const text = readFileSync(join(dist, name), 'utf8');
      mkdirSync(join(types, dirname(name)), { recursive: true });
      const own = text.replaceAll("'@svc/contract/frame'", `'${to}'`);
      // Compilers before 5.7 know no other file by a name in .ts.
      writeFileSync(join(types, name), own.replace(/'(\.[^']*)\.ts'/g, "'$1.js'"));
    }
    copyFileSync(frame, join(types, 'frame.d.ts'));
  },
};

export default defineConfig({
  ...configOf('src/index.ts', 'es', 'svc.js'),
  plugins: [scriptTag, ownTypes],
});
