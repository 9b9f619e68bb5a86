import { SvcClient, webhookHandler } from '@svc/node';

export interface Tenant {
  id: string;
  firstName: string;
  lastName: string;
  email: string;
  balanceInCents: number;
}

/** From the environment. The API key never reaches the browser. */
export function readSettings() {
  const { SVC_API_KEY, SVC_PMS, SVC_URL, SVC_WEBHOOK_SECRET } = process.env;
  if (!SVC_API_KEY || !SVC_PMS || !SVC_URL || !SVC_WEBHOOK_SECRET) {
    throw new Error('Set SVC_API_KEY, SVC_PMS, SVC_URL and SVC_WEBHOOK_SECRET: "svc init" does.');
  }
  return {
    apiKey: SVC_API_KEY,
    pms: SVC_PMS,
    baseUrl: `${SVC_URL}/v1`,
    webhookSecret: SVC_WEBHOOK_SECRET,
  };
}

/** The signed-in tenant. Replace it with your session and your database. */
export async function currentTenant(): Promise<Tenant> {
  return {
    id: 't-100',
    firstName: 'Ada',
    lastName: 'Lane',
    email: 'ada@example.com',
    balanceInCents: 152012,
  };
}

/** Reports the tenant and the open charges, and returns a tenant token for the page. */
export async function createTenantToken(tenant: Tenant): Promise<string | null> {
  const { apiKey, baseUrl } = readSettings();
  const svc = new SvcClient({ apiKey, baseUrl });
  const { token, warnings } = await svc.portalInfo(tenant.id, {
    first_name: tenant.firstName,
    last_name: tenant.lastName,
    email: tenant.email,
    charges: [
      // Every open charge of your ledger. The due date is a day in the home's time zone. A charge can be
      // split from seven days before it is due until nine days after.
      {
        id: 'C-1',
        due_date: new Date().toISOString().slice(0, 10),
        amount_in_cents: tenant.balanceInCents,
      },
    ],
  });
  for (const { message } of warnings) console.warn(message);
  return token;
}

const handled = new Set<string>(); // stands for your database

/** Verifies webhooks, and handles each message once, because it can arrive twice. */
export const webhooks = webhookHandler(
  {
    'settlement.created': ({ data }) => {
      console.log('Debit', data.settlement_id, data.amount_in_cents);
    },
  },
  {
    secret: () => readSettings().webhookSecret,
    store: {
      async once(id, handle) {
        if (handled.has(id)) return;
        await handle(undefined);
        handled.add(id);
      },
    },
    // Other types, and test sends and events that you publish yourself: never debit for those.
    fallback: ({ type, external_id }) => console.log(type, external_id),
  },
);
