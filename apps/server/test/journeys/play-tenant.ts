import type { ProductVariant } from '@svc/contract';
import { signWidget } from '@svc/node';
import type { startRunning } from '../harness.ts';

type Running = Pick<Awaited<ReturnType<typeof startRunning>>, 'call'>;

interface Identity {
  readonly pms: string;
  readonly apiKey: string;
  readonly externalId: string;
  readonly productVariant: ProductVariant;
}

export const testAccount = {
  type: 'bank_account',
  routing_number: '110000000',
  account_number: '000111110000',
  account_type: 'checking',
};

export const testCard = {
  type: 'card',
  number: '4242424242424242',
  expires: '2027-12',
  cvc: '123',
};

/** Makes the HTTP calls of the experience, for tests without a browser. */
export async function playTenant(service: Running, token: string, who: Identity) {
  const { pms, apiKey, externalId } = who;
  const exchanged = await service.call('POST', '/experience/session', {
    body: {
      token,
      pms,
      external_id: externalId,
      signature: await signWidget({ apiKey, pms, externalId }),
      product_variant: who.productVariant,
      nonce: 'nonce-of-this-frame-1',
    },
  });
  const headers = { authorization: `Bearer ${exchanged.data?.session}` };
  const post = (path: string, body: unknown) =>
    service.call('POST', `/experience${path}`, { body, headers });
  /**
   * Reads the hash of the first text to agree to. Empty if the session does not ask for it, or if the last release
   * answers the call during an upgrade.
   */
  const readRecords = async (): Promise<{ records?: string }> => {
    if (!exchanged.data?.asks_electronic_records) return {};
    const { data } = await service.call('GET', '/experience/electronic_records', { headers });
    return data === null ? {} : { records: data.texts[0].sha256 };
  };
  return {
    exchanged,
    state: () => service.call('GET', '/experience/state', { headers }),
    quotes: () => service.call('GET', '/experience/quotes', { headers }),
    /**
     * Agrees to electronic records first, if the application asks. `answer` replaces that: its `records` is null for
     * paper, and undefined for a page that does not ask.
     */
    apply: async (
      monthlyIncomeInCents = 500_000,
      more: object = {},
      answer?: { readonly records?: string | null | undefined },
    ) => {
      const { records } = answer ?? (await readRecords());
      if (records !== undefined) {
        const chosen = await post('/electronic_records', { accepted_sha256: records });
        if (chosen.status === 409) return chosen;
      }
      return post('/application', {
        date_of_birth: '1990-04-01',
        monthly_income_in_cents: monthlyIncomeInCents,
        consent: true,
        ...more,
      });
    },
    /** Applies with the date of birth of the last application. */
    applyAgain: (monthlyIncomeInCents = 500_000) =>
      post('/application', { monthly_income_in_cents: monthlyIncomeInCents, consent: true }),
    pay: (account: object = testAccount) => post('/payment_method', account),
    accept: (quote: { id: string; disclosure: { sha256: string } }, more: object = {}) =>
      post('/plan', {
        quote_id: quote.id,
        accepted_disclosure_sha256: quote.disclosure.sha256,
        ...more,
      }),
  };
}
