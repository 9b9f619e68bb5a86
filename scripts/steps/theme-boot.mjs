import { readFileSync } from 'node:fs';

const source = new URL('../../packages/ui/src/console/shell/theme-boot.js', import.meta.url);

/**
 * Emits a console's theme boot script as a classic script. The CSP forbids inline scripts, and modules run
 * after the first paint.
 *
 * @returns {import('vite').Plugin}
 */
export function themeBoot() {
  let building = false;
  let base = '/';
  return {
    name: 'theme-boot',
    configResolved: (config) => {
      building = config.command === 'build';
      base = config.base;
    },
    buildStart() {
      if (!building) return;
      this.emitFile({
        type: 'asset',
        name: 'theme-boot.js',
        source: readFileSync(source, 'utf8'),
      });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, context) {
        // A frame follows the theme of the page that embeds it, and may have no storage.
        if (context.path.endsWith('frame.html')) return [];
        const built = Object.keys(context.bundle ?? {}).find((file) => file.includes('theme-boot'));
        const src = built === undefined ? `${base}@fs${source.pathname}` : `${base}${built}`;
        return [{ tag: 'script', attrs: { src }, injectTo: 'head-prepend' }];
      },
    },
  };
}
