import { createHash } from 'node:crypto';

/** Hashes of a page's inline scripts and styles, which its Content-Security-Policy allows. */
export function inlineHashes(html: string): { scripts: string[]; styles: string[] } {
  return {
    scripts: hashesOf(html, /<script>(.*?)<\/script>/gs),
    styles: hashesOf(html, /<style>(.*?)<\/style>/gs),
  };
}

function hashesOf(html: string, inline: RegExp): string[] {
  return [...html.matchAll(inline)].map(([, text = '']) => {
    const hash = createHash('sha256').update(text).digest('base64');
    return `'sha256-${hash}'`;
  });
}
