import { isDeepStrictEqual } from 'node:util';
import {
  type AppearanceOutput,
  appearanceInput,
  appearanceOutput,
  fileInput,
  type StoredAppearance,
} from '@svc/contract';
import {
  type FileKind,
  getAppearance,
  lockAppearance,
  removeFile,
  setAppearance,
  setFont,
  setLogo,
} from '../../domain/partners/appearance.ts';
import { checkPixels } from '../../domain/partners/read-png.ts';
import { type Route, route } from '../route.ts';

const appearance = {
  who: 'key_or_portal',
  keyScope: 'everything',
  tag: 'Appearance',
  output: appearanceOutput,
} as const;

const settings = ['accent', 'radius', 'font', 'theme'] as const;

export const appearanceRoutes: readonly Route[] = [
  route({
    ...appearance,
    method: 'GET',
    path: '/partner/appearance',
    kind: 'query',
    summary: 'Read your brand',
    docs: {
      id: 'getAppearance',
      description: 'Returns your settings, your files and the colors that follow from the accent.',
      node: 'svc.appearance.get()',
    },
    verb: (ctx) => getAppearance(ctx),
  }),
  route({
    ...appearance,
    method: 'PUT',
    path: '/partner/appearance',
    kind: 'command',
    summary: 'Replace your brand',
    docs: {
      id: 'setAppearance',
      description:
        'Replaces the settings; one that is left out gets its default. Uploaded files stay. Where the accent has too little contrast, a color close to it is used, and `warnings` says so.',
      node: 'svc.appearance.set({body})',
      body: { accent: '#1d4ed8', radius: 8, font: null, theme: 'auto' },
    },
    body: appearanceInput,
    audit: {
      prior: (ctx) => lockAppearance(ctx),
      entry({ result, prior }) {
        const changed = settings.filter((name) => result[name] !== prior[name]);
        if (changed.length === 0) return null;
        const details = changed.flatMap((name) => [
          [name, result[name] ?? 'default'],
          [`${name}_before`, prior[name] ?? 'default'],
        ]);
        return {
          action: 'partner.appearance_changed',
          details: Object.fromEntries(details) as Record<string, string | number>,
        };
      },
    },
    verb: (ctx, { body }) => setAppearance(ctx, body),
  }),
  route({
    ...appearance,
    method: 'PUT',
    path: '/partner/appearance/logo',
    kind: 'command',
    summary: 'Upload your logo',
    docs: {
      id: 'uploadLogo',
      description:
        'Send the bytes of a PNG of at most 64 kB and 1024 px on each side as the body. It replaces the previous one.',
      node: 'svc.appearance.setLogo(await readFile("logo.png"))',
    },
    upload: 'image/png',
    body: fileInput,
    audit: {
      prior: (ctx) => lockAppearance(ctx),
      entry: ({ result, prior }) => fileEntry('logo', 'uploaded', result, prior),
    },
    group: 'upload',
    before: (_, { body }) => checkPixels(body),
    verb: (ctx, { body }) => setLogo(ctx, body),
  }),
  route({
    ...appearance,
    method: 'DELETE',
    path: '/partner/appearance/logo',
    kind: 'command',
    summary: 'Remove your logo',
    docs: {
      id: 'removeLogo',
      description: 'Removes the logo everywhere, from mails that were sent, too.',
      node: 'svc.appearance.removeLogo()',
    },
    audit: {
      prior: (ctx) => lockAppearance(ctx),
      entry: ({ result, prior }) => fileEntry('logo', 'removed', result, prior),
    },
    verb: (ctx) => removeFile(ctx, 'logo'),
  }),
  route({
    ...appearance,
    method: 'PUT',
    path: '/partner/appearance/font',
    kind: 'command',
    summary: 'Upload a font',
    docs: {
      id: 'uploadFont',
      description:
        'Send the bytes of a WOFF2 file of at most 200 kB as the body. Mails do not use it.',
      node: 'svc.appearance.setFont(await readFile("font.woff2"))',
    },
    upload: 'font/woff2',
    body: fileInput,
    audit: {
      prior: (ctx) => lockAppearance(ctx),
      entry: ({ result, prior }) => fileEntry('font', 'uploaded', result, prior),
    },
    verb: (ctx, { body }) => setFont(ctx, body),
  }),
  route({
    ...appearance,
    method: 'DELETE',
    path: '/partner/appearance/font',
    kind: 'command',
    summary: 'Remove your font',
    docs: {
      id: 'removeFont',
      description:
        'Removes the uploaded font. The experience uses the font of your settings from then on.',
      node: 'svc.appearance.removeFont()',
    },
    audit: {
      prior: (ctx) => lockAppearance(ctx),
      entry: ({ result, prior }) => fileEntry('font', 'removed', result, prior),
    },
    verb: (ctx) => removeFile(ctx, 'font'),
  }),
];

/** The audit entry of a changed file. Null if the hash, which is part of the file's address, is the same. */
function fileEntry(
  kind: FileKind,
  change: 'uploaded' | 'removed',
  result: AppearanceOutput,
  prior: StoredAppearance,
) {
  const name = kind === 'logo' ? 'logo' : 'font_file';
  const [now, before] = [hashOf(result[name]), hashOf(prior[name])];
  if (isDeepStrictEqual(now, before)) return null;
  return {
    action: `partner.${kind}_${change}` as const,
    details: { sha256: now ?? before ?? '' },
  };
}

function hashOf(file: { url: string } | null): string | null {
  return file && (/([0-9a-f]{64})\.\w+$/.exec(file.url)?.[1] ?? null);
}
