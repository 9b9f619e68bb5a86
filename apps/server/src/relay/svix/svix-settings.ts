import { z } from 'zod';
import { httpUrl, isLoopback } from '../../setting-types.ts';
import { optionalSection, type SectionValue, setting } from '../../settings.ts';

/** Also set while our engine delivers, to hand over what is left from before. */
export const svixSettings = optionalSection(
  {
    isUsed: ({ SVIX_SERVER_URL, SVIX_TOKEN }) =>
      SVIX_SERVER_URL !== undefined || SVIX_TOKEN !== undefined,
    because: 'SVIX_SERVER_URL and SVIX_TOKEN belong together: set both or neither.',
  },
  {
    /** Without a trailing slash. */
    serverUrl: setting({
      name: 'SVIX_SERVER_URL',
      type: httpUrl('https://svix.example')
        .refine((url) => !/[?#]|\/\/[^/]*@/.test(url), {
          error: 'must be a URL without user, query and fragment, such as https://svix.example',
        })
        .transform((url) => url.replace(/\/+$/, '')),
      required: true,
      inProduction: (url) =>
        url?.startsWith('http:') &&
        !isLoopback(new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')) &&
        'must be https in production, except on a loopback address, because the token is sent with each request.',
      description:
        'the [Svix server](svix.md), such as `https://svix.example`; with `SVC_WEBHOOKS=embedded` it gets what is left from before',
    }),
    token: setting({
      name: 'SVIX_TOKEN',
      type: z.string().regex(/^[\x21-\x7e]{1,4000}$/, {
        error: 'must be a token without spaces. Create one with "svix-server jwt generate"',
      }),
      required: true,
      secret: 'text',
      description: 'the API token of the Svix server',
    }),
  },
);

export interface SvixConfig extends SectionValue<typeof svixSettings> {}
