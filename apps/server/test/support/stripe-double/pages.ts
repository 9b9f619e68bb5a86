import type { StripeAccount } from './account.ts';
import type { TestInstrument } from './state.ts';

/** The buttons of Checkout's page, and what the tenant enters with each. */
const instruments: Readonly<Record<string, TestInstrument>> = {
  'Save my card': { type: 'card' },
  'Save a card that asks': { type: 'card', failsWith: 'authentication_required' },
};

type PageAnswer = { readonly html: string } | { readonly location: string };

/**
 * The pages that a tenant's browser opens: Checkout's, and the one on which the card's bank asks.
 * Undefined for all other requests.
 */
export function answerPage(
  account: StripeAccount,
  method: string,
  path: string,
  form: URLSearchParams,
): PageAnswer | undefined {
  const [, page, id = ''] = /^\/(c\/pay|confirm)\/([^/]+)$/.exec(path) ?? [];
  if (page === undefined) return undefined;
  if (page === 'confirm') {
    const returnUrl = account.paymentIntents.get(id)?.next_action?.redirect_to_url.return_url;
    if (method !== 'POST') return { html: pageOf('Is it you?', ['Yes, pay', 'No']) };
    account.confirmAtBank(id, form.get('press') === 'Yes, pay');
    return { location: returnUrl ?? '' };
  }
  if (method !== 'POST') {
    return { html: pageOf('Checkout', [...Object.keys(instruments), 'Leave']) };
  }
  const instrument = instruments[form.get('press') ?? ''];
  if (instrument === undefined) return { location: account.sessions.get(id)?.cancel_url ?? '' };
  return { location: account.completeSession(id, instrument) };
}

function pageOf(title: string, buttons: readonly string[]): string {
  const all = buttons.map((it) => `<p><button name="press" value="${it}">${it}</button></p>`);
  return `<!doctype html><meta name="viewport" content="width=device-width"><title>${title}</title><h1>${title}</h1><form method="post">${all.join('')}</form>`;
}
