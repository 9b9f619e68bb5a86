import { type Locale, localeInfo, locales } from '@svc/contract/locales';
import { escapeHtml } from '../../domain/escape-html.ts';
import type { BankVisit } from '../../domain/payments/simulator.ts';
import { shownAccounts } from '../../processors/simulator/bank-accounts.ts';
import { htmlPage } from './html-page.ts';

/** The query parameter that chooses the language. */
export const localeParam = 'locale';

const pageTexts = {
  en: {
    title: (bank: string) => `Sign in to ${bank}`,
    choose: 'Choose an account to share',
    sandbox: 'Sandbox',
    about: (lender: string) =>
      `This bank isn’t real: no password, no money. Each account lets you test one outcome of your payments to ${lender}.`,
    cancel: 'Cancel and go back',
    expired: 'This page has expired',
    expiredNext: 'Close it, go back to the page with your rent, and choose your bank again.',
  },
  es: {
    title: (bank: string) => `Inicia sesión en ${bank}`,
    choose: 'Elige la cuenta bancaria que quieres compartir',
    sandbox: 'Entorno de prueba',
    about: (lender: string) =>
      `Este banco no es real: no hay contraseña ni dinero. Con cada cuenta bancaria pruebas un resultado de tus pagos a ${lender}.`,
    cancel: 'Cancelar y volver',
    expired: 'Esta página expiró',
    expiredNext: 'Ciérrala, vuelve a la página de tu renta y elige tu banco otra vez.',
  },
} satisfies Record<Locale, object>;

/** Renders the sign-in page of a simulated bank. Choosing an account signs in and shares it. */
export function bankPage({ bank }: BankVisit, lender: string, locale: Locale): string {
  const copy = pageTexts[locale];
  const name = escapeHtml(bank.name);
  const accounts = shownAccounts(locale).map(
    ({ number, name: account, effect }) =>
      `<button name="account" value="${number}"><b>${escapeHtml(account)} <span>••${number.slice(-4)}</span></b><span>${escapeHtml(effect)}</span></button>`,
  );
  return htmlPage(
    copy.title(bank.name),
    [
      `<header><p class="bank"><i aria-hidden="true">${escapeHtml(bank.name.charAt(0))}</i>${name}</p>${otherLanguages(locale)}</header>`,
      `<h1>${copy.choose}</h1>`,
      `<p><span class="svc-badge">${copy.sandbox}</span></p>`,
      `<p>${escapeHtml(copy.about(lender))}</p>`,
      `<form method="post">${accounts.join('\n')}`,
      `<button class="cancel" name="cancel" value="1">${copy.cancel}</button></form>`,
    ],
    `<style>${style}</style>`,
    locale,
  );
}

/** The answer for a visit that has ended or expired. */
export function bankPageExpired(locale: Locale): string {
  const { expired, expiredNext } = pageTexts[locale];
  const body = [`<h1>${expired}</h1>`, `<p>${expiredNext}</p>`];
  return htmlPage(expired, body, `<style>${style}</style>`, locale);
}

function otherLanguages(current: Locale): string {
  const links = locales.flatMap((it) =>
    it === current
      ? []
      : [
          `<a href="?${localeParam}=${it}" lang="${it}" hreflang="${it}">${localeInfo[it].name}</a>`,
        ],
  );
  return `<nav>${links.join(' ')}</nav>`;
}

const style = `
main { max-width: 480px; padding: 32px 20px 64px; }
header { display: flex; flex-wrap: wrap; gap: 0 12px; align-items: center; justify-content: space-between; }
header a { display: inline-grid; place-items: center; min-height: 44px; padding: 0 4px; }
h1 { margin: 24px 0 8px; color: var(--svc-ink); font-size: 1.75rem; text-wrap: balance; }
.bank { display: flex; gap: 12px; align-items: center; margin: 0; font-weight: 600; }
.bank i { display: grid; place-items: center; width: 2.5rem; height: 2.5rem; flex: none; border-radius: 12px; background: var(--svc-accent); color: var(--svc-on-accent); font-style: normal; font-size: 1.25rem; }
form { display: grid; gap: 8px; margin-top: 24px; }
form button { display: grid; gap: 2px; min-height: 64px; padding: 12px 16px; overflow-wrap: anywhere; border: 1px solid var(--svc-line); border-radius: 12px; background: var(--svc-surface); color: var(--svc-ink); font: inherit; text-align: start; cursor: pointer; }
form button:hover { border-color: var(--svc-accent); }
form button:focus-visible { outline: 2px solid var(--svc-accent); outline-offset: 2px; }
form button span { color: var(--svc-text); font-size: 0.875rem; }
form b span { font-weight: 400; }
form .cancel { min-height: 48px; margin-top: 8px; border-color: transparent; background: none; color: var(--svc-accent); text-align: center; }
`;
