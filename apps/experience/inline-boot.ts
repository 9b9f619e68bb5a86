import { fileURLToPath } from 'node:url';
import { build, type Plugin, type ResolveOptions } from 'vite';

const source = fileURLToPath(new URL('src/boot.ts', import.meta.url));
const tag = '<script type="module" src="/src/boot.ts"></script>';

/**
 * Inlines `boot.ts` and the styles into the page, so that one response is enough to connect to the
 * SDK and request the session while the app is still loading. The server's content security policy
 * allows both by their hashes.
 * @param resolve the app's options, which the separate bundle of `boot.ts` also uses
 */
export function inlineBoot(resolve: ResolveOptions): Plugin {
  return {
    name: 'inline-boot',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const code = (await bundleBoot(resolve)).trim().replaceAll('</script', '<\\/script');
        return replaceOnce(html, tag, `<script>${code}</script>`);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the build has no index.html');
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          const link = new RegExp(`<link rel="stylesheet"[^>]*${file.fileName}">`);
          const [found = ''] = link.exec(String(page.source)) ?? [];
          page.source = replaceOnce(
            String(page.source),
            found,
            `<style>${String(file.source).trim()}</style>`,
          );
          delete bundle[file.fileName];
        }
      },
    },
  };
}

async function bundleBoot(resolve: ResolveOptions): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    resolve,
    build: {
      target: 'es2023',
      write: false,
      lib: { entry: source, formats: ['iife'], name: 'boot', fileName: 'boot' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('the build of boot.ts has no code');
  return chunk.code;
}

function replaceOnce(html: string, old: string, replacement: string): string {
  if (old === '' || !html.includes(old)) throw new Error(`index.html has no ${old}`);
  return html.replace(old, () => replacement);
}
