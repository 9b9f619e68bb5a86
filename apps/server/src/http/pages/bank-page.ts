import { escapeHtml } from '../../domain/escape-html.ts';
import type { BankVisit } from '../../domain/payments/simulator.ts';
import { shownAccounts } from '../../simulator/test-banks.ts';
import { htmlPage } from './html-page.ts';

/** Renders the sign-in page of a simulated bank. Choosing an account signs in and shares it. */
export function bankPage({ bank }: BankVisit, lender: string): string {
  const name = escapeHtml(bank.name);
  const accounts = shownAccounts.map(
    ({ number, name: account, effect }) =>
      `<button name="account" value="${number}"><b>${escapeHtml(account)} <span>••${number.slice(-4)}</span></b><span>${escapeHtml(effect)}</span></button>`,
  );
  return htmlPage(
    `Sign in to ${bank.name}`,
    [
      `<p class="bank"><i aria-hidden="true">${escapeHtml(bank.name.charAt(0))}</i>${name}</p>`,
      '<h1>Choose an account to share</h1>',
      `<p><span class="svc-badge">Sandbox</span> This bank isn’t real: no password, no money. Each account lets you test one outcome of your payments to ${escapeHtml(lender)}.</p>`,
      `<form method="post">${accounts.join('\n')}`,
      '<button class="cancel" name="cancel" value="1">Cancel and go back</button></form>',
    ],
    `<style>${style}</style>`,
  );
}

/** The answer for a visit that was ended, or that expired. */
export const bankPageExpired = htmlPage('This page has expired', [
  '<h1>This page has expired</h1>',
  '<p>Close it, go back to the page with your rent, and choose your bank again.</p>',
]);

const style = `
main { max-width: 480px; padding: 32px 20px 64px; }
h1 { margin: 24px 0 8px; font-size: 28px; }
.bank { display: flex; gap: 12px; align-items: center; margin: 0; font-weight: 600; }
.bank i { display: grid; place-items: center; width: 40px; height: 40px; border-radius: 12px; background: var(--svc-accent); color: var(--svc-on-accent); font-style: normal; font-size: 20px; }
form { display: grid; gap: 8px; margin-top: 24px; }
form button { display: grid; gap: 2px; min-height: 64px; padding: 12px 16px; border: 1px solid var(--svc-line); border-radius: 12px; background: var(--svc-surface); color: var(--svc-ink); font: inherit; text-align: start; cursor: pointer; }
form button:hover { border-color: var(--svc-accent); }
form button:focus-visible { outline: 2px solid var(--svc-accent); outline-offset: 2px; }
form button span { color: var(--svc-text); font-size: 14px; }
form b span { font-weight: 400; }
form .cancel { min-height: 48px; margin-top: 8px; border-color: transparent; background: none; color: var(--svc-accent); text-align: center; }
`;
