import type { AppearanceOutput } from '@svc/contract';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

export type Appearance = AppearanceOutput;
export type AppearanceSettings = Pick<Appearance, 'accent' | 'radius' | 'font' | 'theme'>;
export type BrandFile = 'logo' | 'font';

export const appearanceQuery = queryOptions({
  queryKey: ['appearance'],
  queryFn: ({ signal }) => call('GET', '/partner/appearance', { signal }),
});

export function saveAppearance(settings: AppearanceSettings): Promise<Appearance> {
  return call('PUT', '/partner/appearance', { body: settings });
}

const mediaTypes = { logo: 'image/png', font: 'font/woff2' } as const;

/** Uploads a file. Sets the media type itself, because not every browser recognizes WOFF2. */
export function uploadFile(kind: BrandFile, file: Blob): Promise<Appearance> {
  const typed = file.slice(0, file.size, mediaTypes[kind]);
  return call('PUT', `/partner/appearance/${kind}`, { file: typed });
}

export function removeFile(kind: BrandFile): Promise<Appearance> {
  return call('DELETE', `/partner/appearance/${kind}`);
}
