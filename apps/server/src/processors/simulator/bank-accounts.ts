import { testBankAccounts } from '@svc/contract';
import type { Locale } from '@svc/contract/locales';

/** An account as the page of a simulated bank shows it. */
interface ShownAccount {
  readonly number: string;
  readonly name: string;
  readonly effect: string;
}

/** Names of the accounts, as the bank would call them. */
const names: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    '000111110000': 'Everyday Checking',
    '000111110001': 'Empty Checking',
    '000111110002': 'Closed Checking',
    '000111110003': 'Slow Checking',
    '000111110004': 'Short Checking',
    '000111110005': 'Disputed Checking',
  },
  es: {
    '000111110000': 'Cuenta diaria',
    '000111110001': 'Cuenta sin fondos',
    '000111110002': 'Cuenta cerrada',
    '000111110003': 'Cuenta lenta',
    '000111110004': 'Cuenta incompleta',
    '000111110005': 'Cuenta en disputa',
  },
};

const effectTexts: Readonly<Record<Locale, Readonly<Record<string, string>>>> = {
  en: {
    succeeds: 'Every payment goes through.',
    waits: 'The first payment takes until the next banking day.',
    deposits_short: 'Every payment goes through, but arrives $1.00 short.',
    R01: 'Every payment fails: not enough money (R01).',
    R02: 'Every payment fails: the account is closed (R02).',
    R10: 'The first payment is returned after 45 days (R10).',
  },
  es: {
    succeeds: 'Todos los pagos se completan.',
    waits: 'El primer pago tarda hasta el siguiente día hábil bancario.',
    deposits_short: 'Todos los pagos se completan, pero llegan con $1.00 menos.',
    R01: 'Todos los pagos fallan: no hay suficiente dinero (R01).',
    R02: 'Todos los pagos fallan: la cuenta bancaria está cerrada (R02).',
    R10: 'El primer pago se devuelve después de 45 días (R10).',
  },
};

export function shownAccounts(locale: Locale): ShownAccount[] {
  return testBankAccounts.map(({ account_number: number, outcome, return_code }) => {
    const name = names[locale][number];
    const effect = effectTexts[locale][return_code ?? outcome];
    if (!name || !effect) throw new Error(`the test account ${number} has no name or effect`);
    return { number, name, effect };
  });
}
