import { testBankAccounts, testCards, testRoutingNumber } from '@svc/contract';
import type { Insert } from './insert.ts';

type BankAccount = (typeof testBankAccounts)[number];
type Card = (typeof testCards)[number];

const codeNames: Readonly<Record<string, string>> = {
  R01: 'not enough money',
  R02: 'account closed',
  R10: 'reported as not allowed',
};

/** Lists the sandbox's bank accounts and cards, with the outcome of paying with each. */
export function testAccounts(): Insert {
  const accounts = testBankAccounts.map(
    (it) => `| \`${it.account_number}\` | ${describeAccount(it)} |`,
  );
  const cards = testCards.map((it) => `| \`${groupByFour(it.number)}\` | ${describeCard(it)} |`);
  return {
    markdown: [
      `| Bank account, routing number ${testRoutingNumber} | What happens |`,
      '|---|---|',
      ...accounts,
      '',
      '| Card, with any future month and any three digits | What happens |',
      '|---|---|',
      ...cards,
    ].join('\n'),
  };
}

function describeAccount({
  outcome,
  return_code: code,
  taken_back_after_days: days,
}: BankAccount): string {
  switch (outcome) {
    case 'succeeds':
      return 'every payment goes through';
    case 'fails':
      return `every payment fails: ${codeNames[code ?? '']}, \`${code}\``;
    case 'waits':
      return 'the result of the first payment arrives on the next banking day';
    case 'deposits_short':
      return 'every payment goes through, but 1.00 less is deposited';
    case 'taken_back':
      return `the bank reverses a plan’s first payment ${days} days later: ${codeNames[code ?? '']}, \`${code}\``;
  }
}

function describeCard(card: Card): string {
  const { outcome, decline_code: code, taken_back_after_days: days } = card;
  const { won_after_days: won, won_in_cents: part } = card;
  switch (outcome) {
    case 'succeeds':
      return card.number.startsWith('4')
        ? 'Visa debit: every payment goes through'
        : 'Mastercard prepaid: every payment goes through';
    case 'fails':
      return `every payment is declined: \`${code}\``;
    case 'fails_later':
      return `a plan’s first payment goes through, every later one is declined: \`${code}\``;
    case 'taken_back': {
      const later =
        won === undefined
          ? ''
          : `; ${won - (days ?? 0)} days after that ${part === undefined ? 'the dispute is won' : `${(part / 100).toFixed(2)} of it come back`}`;
      return `the bank takes a plan’s first payment back ${days} days later: \`${code}\`${later}`;
    }
    case 'credit':
      return 'credit: the card is not taken';
  }
}

function groupByFour(number: string): string {
  return number.replace(/\d{4}(?=\d)/g, '$& ');
}
