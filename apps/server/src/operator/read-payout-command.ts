import { payoutMethods } from '@svc/contract';
import { adjustmentAccounts } from '../domain/index.ts';
import { type PayoutRequest, statementOutputs } from './payout-commands.ts';
import { readAmount } from './read-amount.ts';
import { UsageError } from './usage-error.ts';

type Name = PayoutRequest['command'];

export const payoutCommands: Record<Name, { readonly argument?: string; readonly does: string }> = {
  'payout schedule': {
    argument: '<pms>',
    does: 'set how a portal gets what we owe it: --method credit, debit or each',
  },
  'payout settings': { argument: '[<pms>]', does: 'list the portals that get payouts' },
  'payout list': { argument: '[<pms>]', does: 'list payouts, those that are not over first' },
  'payout statement': {
    argument: '<payout id>',
    does: 'print the lines of a payout, as --format csv or json',
  },
  'payout create': { argument: '<pms>', does: 'create a payout now, besides the schedule' },
  'payout adjust': {
    argument: '<pms>',
    does: 'add --amount to the next payout, or deduct it, and book it to --account',
  },
  'payout send': {
    argument: '<payout id>',
    does: 'mark a payout as sent, and print the instruction for the bank',
  },
  'payout confirm': { argument: '<payout id>', does: 'the bank has paid a payout' },
  'payout fail': { argument: '<payout id>', does: 'a payout did not arrive: carry it forward' },
  'payout return': {
    argument: '<payout id>',
    does: 'a payout that had arrived came back: carry it forward',
  },
};

export function isPayoutName(name: string): name is Name {
  return Object.hasOwn(payoutCommands, name);
}

/** The options that only these commands take. */
export const payoutOptions = {
  method: { type: 'string' },
  'cut-off': { type: 'string' },
  destination: { type: 'string' },
  reference: { type: 'string' },
} as const;

type Option = keyof typeof payoutOptions;

interface Values extends Readonly<Partial<Record<Option, string>>> {
  readonly amount?: string | undefined;
  readonly account?: string | undefined;
  readonly format?: string | undefined;
}

export const payoutHelp = `  --method, --cut-off <hour>, --destination <text>
                         credit: we send; debit: the portal debits us; each: no payouts. The hour in
                         New York, 17 by default; what you call the portal's account (payout schedule)
  --reference <text>     the bank's id, as its statement shows it (payout confirm)
`;

const takes: Readonly<Record<Option, Name>> = {
  method: 'payout schedule',
  'cut-off': 'payout schedule',
  destination: 'payout schedule',
  reference: 'payout confirm',
};

/** @throws UsageError if an option is passed that the command would ignore */
export function refusePayoutOptions(name: string, values: Values): void {
  for (const option of Object.keys(takes) as Option[]) {
    if (values[option] === undefined || takes[option] === name) continue;
    throw new UsageError(`"${name}" takes no --${option}; only "${takes[option]}" does.`);
  }
}

/** @throws UsageError */
export function readPayoutCommand(
  name: Name,
  argument: string | undefined,
  values: Values,
): PayoutRequest {
  const pms = argument ?? '';
  switch (name) {
    case 'payout settings':
    case 'payout list':
      return { command: name, ...(argument !== undefined && { pms }) };
    case 'payout create':
      return { command: name, pms };
    case 'payout schedule': {
      const method = oneOf(values.method, [...payoutMethods, 'each'], 'method');
      const { destination } = values;
      if (method === 'credit' && destination === undefined) {
        throw new UsageError(
          `"${name}" with --method credit needs --destination: what you call the portal's account at your bank.`,
        );
      }
      return {
        command: name,
        pms,
        method,
        cut_off_hour: hourOf(values['cut-off'] ?? '17'),
        destination: lineOf(destination ?? '', 'destination'),
      };
    }
    case 'payout adjust':
      return {
        command: name,
        pms,
        amount_in_cents: readAmount(values.amount, { canDeduct: true }),
        account: oneOf(values.account, adjustmentAccounts, 'account'),
      };
    case 'payout statement':
      return {
        command: name,
        payout_id: payoutOf(name, argument),
        format: oneOf(values.format ?? 'csv', statementOutputs, 'format'),
      };
    case 'payout confirm': {
      const { reference } = values;
      return {
        command: name,
        payout_id: payoutOf(name, argument),
        ...(reference !== undefined && { reference: lineOf(reference, 'reference') }),
      };
    }
    case 'payout send':
    case 'payout fail':
    case 'payout return':
      return { command: name, payout_id: payoutOf(name, argument) };
  }
}

function oneOf<T extends string>(text: string | undefined, known: readonly T[], option: string): T {
  const found = known.find((it) => it === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${option} must be one of ${known.join(', ')}, not "${text ?? ''}".`);
}

function hourOf(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) < 24) return Number(text);
  throw new UsageError(`--cut-off must be an hour from 0 to 23, such as 17, not "${text}".`);
}

function lineOf(text: string, option: string): string {
  if (/^[^\p{Cc}]{0,100}$/u.test(text)) return text;
  throw new UsageError(`--${option} must be one line of at most 100 characters.`);
}

function payoutOf(name: Name, text = ''): string {
  if (/^pyt_[0-9a-z]{26}$/.test(text)) return text;
  throw new UsageError(
    `"${name}" needs the id of a payout, such as one of "svc payout list", not "${text}".`,
  );
}
