import { z } from 'zod';

/** Schemes that browsers and phones handle themselves, some of which run code. */
const reserved = new Set([
  'about',
  'blob',
  'chrome',
  'content',
  'data',
  'facetime',
  'file',
  'filesystem',
  'ftp',
  'geo',
  'http',
  'https',
  'intent',
  'itms',
  'itms-apps',
  'javascript',
  'mailto',
  'market',
  'sms',
  'smsto',
  'tel',
  'vbscript',
  'view-source',
  'ws',
  'wss',
]);

/** The scheme of the portal's app, such as `com.example.app`: lowercase, as URLs have it. */
export const appScheme = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]{1,59}$/, {
    error: 'must be a scheme without "://", such as com.example.app',
  })
  .refine((scheme) => !reserved.has(scheme), {
    error: 'must be a scheme of your own app, such as com.example.app',
  });
