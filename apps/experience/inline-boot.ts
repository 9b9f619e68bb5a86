import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';

const source = fileURLToPath(new URL('src/boot.ts', import.meta.url));
const tag = '<script type="module" src="/src/boot.ts"></script>';

/**
 * Puts `boot.ts` and the styles into the page itself: with one answer it can shake hands and ask
 * for the session, while the app is on its way. The server allows both by their hashes.
 */
export function inlineBoot(): Plugin {
  return {
    name: 'inline-boot',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const code = (await bundled()).trim().replaceAll('</script', '<\\/script');
        return swap(html, tag, `<script>${code}</script>`);
      },
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const page = bundle['index.html'];
        if (page?.type !== 'asset') throw new Error('the build has no page');
        for (const file of Object.values(bundle)) {
          if (file.type !== 'asset' || !file.fileName.endsWith('.css')) continue;
          const link = new RegExp(`<link rel="stylesheet"[^>]*${file.fileName}">`);
          const [found = ''] = link.exec(String(page.source)) ?? [];
          page.source = swap(
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

async function bundled(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      target: 'es2023',
      write: false,
      lib: { entry: source, formats: ['iife'], name: 'boot', fileName: 'boot' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  const chunk = output !== undefined && 'output' in output ? output.output[0] : undefined;
  if (chunk?.type !== 'chunk') throw new Error('boot.ts gave no code');
  return chunk.code;
}

function swap(html: string, old: string, by: string): string {
  if (old === '' || !html.includes(old)) throw new Error(`the page has no ${old}`);
  return html.replace(old, () => by);
}
