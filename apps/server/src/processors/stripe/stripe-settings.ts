import { z } from 'zod';
import { httpUrl, listOfTexts } from '../../setting-types.ts';
import { optionalSection, type SectionValue, setting } from '../../settings.ts';

/** The mode of a secret or restricted API key of Stripe's. */
const stripeKey = /^(?:sk|rk)_(test|live)_[A-Za-z0-9_]{6,250}$/;

/** Set when the processor is Stripe. */
export const stripeSettings = optionalSection(
  {
    isUsed: ({ SVC_PROCESSOR }) => SVC_PROCESSOR === 'stripe',
    because: 'SVC_PROCESSOR is stripe.',
  },
  {
    secretKey: setting({
      name: 'STRIPE_SECRET_KEY',
      type: z.string().regex(stripeKey, {
        error: 'must be a secret or restricted key of Stripe that starts with sk_ or rk_',
      }),
      required: true,
      secret: 'text',
      rule: (key, { SVC_ENVIRONMENT }) => {
        if (key === undefined) return false;
        const isTest = stripeKey.exec(key)?.[1] === 'test';
        if (SVC_ENVIRONMENT === 'sandbox') {
          return !isTest && 'must be a test key in the sandbox, where no real money may move.';
        }
        return isTest && 'must be a live key in production: a test key takes no real payments.';
      },
      description: 'the API key; it needs the permissions that [the Stripe page](stripe.md) lists',
    }),
    /** More than one while the secret is changed. */
    webhookSecrets: setting({
      name: 'STRIPE_WEBHOOK_SECRET',
      type: listOfTexts.refine((secrets) => secrets.length > 0 && secrets.every(isWebhookSecret), {
        error: 'must be the signing secret of the webhook endpoint, which starts with whsec_',
      }),
      required: true,
      secret: 'text',
      description:
        "the signing secret of Stripe's webhook endpoint; two, separated by a comma, while it is changed",
    }),
    /** Undefined means Stripe itself. */
    apiBase: setting({
      name: 'STRIPE_API_BASE',
      type: httpUrl('http://127.0.0.1:12111'),
      inProduction: (url) =>
        url?.startsWith('http:') &&
        'must be https in production. It is for tests: remove it to call Stripe.',
      description: "for tests: another origin than Stripe's; https in production",
    }),
  },
);

export interface StripeSettings extends SectionValue<typeof stripeSettings> {}

function isWebhookSecret(text: string): boolean {
  return /^whsec_[A-Za-z0-9_+/=-]{6,200}$/.test(text);
}
