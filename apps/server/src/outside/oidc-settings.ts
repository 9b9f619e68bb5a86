import { z } from 'zod';
import { isLoopback } from '../setting-types.ts';
import { optionalSection, type SectionValue, setting } from '../settings.ts';

/** The OpenID Connect provider at which the people of the operator's console sign in. */
export interface OidcSettings extends SectionValue<typeof oidcSettings> {}

/** Undefined means that people sign in with passkeys and passwords of the console. */
export const oidcSettings = optionalSection(
  {
    isUsed: ({
      SVC_OPERATOR_OIDC_ISSUER: issuer,
      SVC_OPERATOR_OIDC_CLIENT_ID: id,
      SVC_OPERATOR_OIDC_CLIENT_SECRET: secret,
    }) => [issuer, id, secret].some((value) => value !== undefined),
    because:
      'SVC_OPERATOR_OIDC_ISSUER, SVC_OPERATOR_OIDC_CLIENT_ID and SVC_OPERATOR_OIDC_CLIENT_SECRET belong together: set all three or none.',
  },
  {
    issuer: setting({
      name: 'SVC_OPERATOR_OIDC_ISSUER',
      type: z
        .string()
        .refine(isIssuer, {
          error:
            'must be the https address of an OpenID Connect issuer, such as https://login.example.com/realms/staff, without a query. Only a sandbox may use http, and only on this machine',
          abort: true,
        })
        .refine((issuer) => !isForAnyOrganization(issuer), {
          error:
            'must name your directory by its id, because the people of other organizations can sign in at issuers such as "common" and "organizations". Use https://login.microsoftonline.com/<directory id>/v2.0',
        }),
      required: true,
      inProduction: (issuer, { SVC_OPERATOR_ORIGIN }) => {
        if (issuer?.startsWith('http:')) return 'must be https in production.';
        return (
          issuer !== undefined &&
          SVC_OPERATOR_ORIGIN === undefined &&
          'needs SVC_OPERATOR_ORIGIN, because without it there is no console to sign in to.'
        );
      },
      defaultNote: 'passkeys and passwords of the console',
      description:
        'the OpenID Connect provider at which people [sign in to the operator’s console](console.md#sign-in-with-your-provider)',
    }),
    clientId: setting({
      name: 'SVC_OPERATOR_OIDC_CLIENT_ID',
      type: z.string().max(500),
      required: true,
      description: 'the client id that the provider has given to the console',
    }),
    clientSecret: setting({
      name: 'SVC_OPERATOR_OIDC_CLIENT_SECRET',
      type: z.string().max(2_000),
      required: true,
      secret: 'text',
      description: 'the secret of this client',
    }),
  },
);

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
}

/** Returns whether it is an issuer of Microsoft Entra ID that does not name one organization's directory by its id. */
function isForAnyOrganization(issuer: string): boolean {
  const { hostname, pathname } = new URL(issuer);
  if (!microsoftHosts.includes(hostname)) return false;
  const [, directory = ''] = pathname.toLowerCase().split('/');
  return directory === personalAccounts || !z.guid().safeParse(directory).success;
}

const personalAccounts = '9188040d-6c67-4c5b-b112-36a304b66dad';

const microsoftHosts = [
  'login.microsoftonline.com',
  'login.microsoftonline.us',
  'login.partner.microsoftonline.cn',
  'sts.windows.net',
];
