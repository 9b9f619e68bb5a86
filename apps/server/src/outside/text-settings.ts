import { z } from 'zod';
import { flag, httpUrl, positiveCount } from '../setting-types.ts';
import { optionalSection, type SectionValue, setting } from '../settings.ts';

/** The settings for reminders by text message. */
export const textSettings = {
  sms: setting({
    name: 'SVC_SMS',
    type: z.enum(['none', 'files', 'twilio']),
    default: 'none',
    inProduction: (kind) =>
      kind === 'files' && 'must not be "files" in production: no text would reach a tenant.',
    description:
      '`twilio` offers tenants [reminders by text message](texts.md); `files` writes them to the data folder, for the sandbox',
  }),
  smsDetails: setting({
    name: 'SVC_SMS_DETAILS',
    type: flag,
    default: '0',
    description: 'texts name the amount and the property, which others may read on a locked phone',
  }),
  smsCodesPerDay: setting({
    name: 'SVC_SMS_CODES_PER_DAY',
    type: positiveCount,
    default: '1000',
    description:
      'codes that the tenants of one partner may request in 24 hours to confirm their numbers; bounds what an attacker can make you pay',
  }),
  twilio: optionalSection(
    { isUsed: ({ SVC_SMS }) => SVC_SMS === 'twilio', because: 'SVC_SMS is twilio.' },
    {
      accountSid: setting({
        name: 'SVC_TWILIO_ACCOUNT_SID',
        type: z.string().regex(/^AC[0-9a-f]{32}$/, {
          error: 'must be an account SID: AC and 32 hexadecimal digits',
        }),
        required: true,
        description: 'the Twilio account; required with `SVC_SMS=twilio`',
      }),
      authToken: setting({
        name: 'SVC_TWILIO_AUTH_TOKEN',
        type: z.string().min(1),
        required: true,
        secret: 'text',
        description:
          "the account's auth token, with which Twilio signs its webhooks; required with `SVC_SMS=twilio`",
      }),
      from: setting({
        name: 'SVC_TWILIO_FROM',
        type: z.string().regex(/^(MG[0-9a-f]{32}|\+1\d{10})$/, {
          error: 'must be a messaging service SID (MG…) or a number such as +12125550123',
        }),
        required: true,
        description:
          'the messaging service (`MG…`) or the number that sends; required with `SVC_SMS=twilio`',
      }),
      apiKeySid: setting({
        name: 'SVC_TWILIO_API_KEY_SID',
        type: z.string().regex(/^SK[0-9a-f]{32}$/, {
          error: 'must be an API key SID: SK and 32 hexadecimal digits',
        }),
        rule: (sid, { SVC_TWILIO_API_KEY_SECRET: secret }) =>
          (sid === undefined) !== (secret === undefined) &&
          'and SVC_TWILIO_API_KEY_SECRET belong together: set both or neither.',
        defaultNote: 'the account SID and the auth token',
        description: 'an API key to send with, so that it can be replaced alone',
      }),
      apiKeySecret: setting({
        name: 'SVC_TWILIO_API_KEY_SECRET',
        type: z.string().min(1),
        secret: 'text',
        description: 'the secret of the API key',
      }),
      url: setting({
        name: 'SVC_TWILIO_URL',
        type: httpUrl('https://api.twilio.com'),
        default: 'https://api.twilio.com',
        inProduction: (url) => url?.startsWith('http:') && 'must be https in production.',
        description: "Twilio's API, or a test double of it",
      }),
    },
  ),
};

export type TwilioSettings = SectionValue<(typeof textSettings)['twilio']>;
