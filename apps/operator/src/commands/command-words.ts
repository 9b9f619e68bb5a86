import type { CommandField, CommandInfo } from '../api/commands.ts';

/** The labels of commands. Unlisted commands are named after their verbs: "payout confirm" is "Confirm payout". */
const titles: Record<string, string> = {
  'payment-refund': 'Refund a payment',
  'payment-return': 'Record a returned payment',
  'plan-move': 'Move a payment',
  'plan-waive-fee': 'Waive the fee',
  'collections-pause': 'Pause collections',
  'collections-resume': 'Resume collections',
  'tenant-paper': 'Send notices on paper',
  'tenant-export': 'Export everything stored',
  'tenant-erase': 'Erase personal data',
  'mail-resend': 'Send a mail again',
  'mail-print': 'Print a mail',
  'mail-sent': 'Record a notice sent on paper',
  'settlement-reopen': 'Reopen a settlement',
  'approval-approve': 'Approve a request',
  'approval-refuse': 'Refuse a request',
  'review-decide': 'Decide an application',
  'review-take': 'Take an application',
  'review-release': 'Let the policy decide',
  'dispute-book': 'Book a dispute',
  'bank-add': 'Register an account',
  'books-adjust': 'Post what explains it',
  'books-assign': 'Assign it',
  'books-close': 'Close the day',
  'books-match': 'Match',
  'books-reconcile': 'Match by the rules',
  'books-reopen': 'Reopen the day',
  'books-unmatch': 'Undo a match',
  'books-write-off': 'Write it off',
  'payout-send': 'Mark as sent',
  'payout-fail': 'Record a failed payout',
  'payout-return': 'Record a returned payout',
  'ach-resend': 'Send a file again',
  'ach-dismiss': 'Mark a file as dealt with',
  'ach-show': 'Show the entries of a file',
  'key-create': 'Create an API key',
  'key-revoke': 'Revoke an API key',
  'key-list': 'List API keys',
  'operator-invite': 'Invite a person',
  'operator-role': 'Give a person another role',
  'operator-email': 'Change a person’s company account',
  'operator-link': 'Make a person another link',
  'operator-end': 'End a person’s access',
  'partner-create': 'Create a partner',
  'money-stop': 'Stop all money',
  'money-start': 'Let money move again',
  'money-status': 'Say whether money moves',
  'ach-returns': 'Compare returned debits with the limits',
  'books-accounts': 'Show the chart of accounts',
  'books-days': 'List the days',
  'books-exceptions': 'List the exceptions',
  'books-export': 'Export the ledger',
  'books-trial-balance': 'Show the trial balance',
  'lending-confirm': 'Confirm the states of an upgrade',
  'lending-set': 'Set where loans are offered',
  'loss-list': 'List losses',
  'outbox-drop': 'Give up a parked message',
  'outbox-retry': 'Hand over parked messages again',
  'payment-failures': 'Count failed payments',
  'payout-schedule': 'Set how a portal is paid',
  'payout-settings': 'List how portals are paid',
  'payout-statement': 'Print the lines of a payout',
  'plan-agreement': 'Print an agreement',
};

export function titleOf({ name }: Pick<CommandInfo, 'name'>): string {
  const known = titles[name];
  if (known !== undefined) return known;
  const [subject = name, ...verb] = name.split('-');
  const about = verb.at(-1) === 'list' ? subjectOf({ name }).toLowerCase() : subject;
  const words = verb.length === 0 ? subject : `${verb.join(' ')} ${about}`;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const subjects: Record<string, string> = {
  ach: 'ACH',
  outbox: 'Messages for other systems',
  books: 'Books',
  key: 'API keys',
  money: 'Money switch',
  operator: 'People',
  bank: 'Bank accounts',
  debit: 'Returned debits',
};

/** Returns the subject of a command: "payout-confirm" is about "Payouts". */
export function subjectOf({ name }: Pick<CommandInfo, 'name'>): string {
  const [subject = name] = name.split('-');
  const known = subjects[subject];
  if (known !== undefined) return known;
  const plural = subject.endsWith('s') || subject === 'lending' ? subject : `${subject}s`;
  return plural.charAt(0).toUpperCase() + plural.slice(1);
}

/** Returns whether a command destroys something or cannot be undone. */
export function isDangerous({ name }: Pick<CommandInfo, 'name'>): boolean {
  return /(erase|write-off|stop|revoke|drop|fail|return|plan-cancel)$/.test(name);
}

export type FieldKind = 'money' | 'file' | 'flag' | 'date' | 'choice' | 'portal' | 'text';

export function kindOf({ name, syntax, is_file, choices }: CommandField): FieldKind {
  if (is_file) return 'file';
  if (choices) return 'choice';
  if (name.endsWith('_in_cents')) return 'money';
  if (syntax.startsWith('--') && !syntax.includes('<')) return 'flag';
  if (/<(day|date)>/.test(syntax)) return 'date';
  if (/<pms>/.test(syntax)) return 'portal';
  return choicesOf(syntax) === null ? 'text' : 'choice';
}

/** Returns the choices of an option such as `--military-covered <yes|no>`. */
export function choicesOf(syntax: string): CommandField['choices'] {
  const inside = syntax.slice(syntax.indexOf('<') + 1, syntax.lastIndexOf('>'));
  if (!inside.includes('|')) return null;
  return inside.split('|').map((value) => ({ value, label: value }));
}

const labels: Record<string, string> = {
  pms: 'Portal',
  partner: 'Portal',
  external_id: 'Tenant',
  approval_id: 'Request',
  tenant: 'Tenant',
  amount_in_cents: 'Amount',
  all: 'All of it',
  code: 'Return code',
  given_up: 'All mails that were given up',
  key_id: 'API key',
  even_last: 'Even if no other key works',
  link: 'By a link that works once',
};

/** Returns the label of a field: "payment_id" is "Payment". */
export function labelOf({ name }: Pick<CommandField, 'name'>): string {
  const known = labels[name];
  if (known !== undefined) return known;
  const words = name.replace(/_(id|in_cents)$/, '').replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the hint below a field, from the command's help: "why the bank returned it" begins with a capital letter. */
export function hintOf({ summary }: Pick<CommandField, 'summary'>): string | undefined {
  return summary === '' ? undefined : `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Parses an amount such as "12.50" into cents. Null if it is not an amount. Thousands may be separated. */
export function centsOf(typed: string): number | null {
  const plain = typed.trim().replace(/^\$/, '').replaceAll(',', '');
  return /^\d{1,9}(\.\d{1,2})?$/.test(plain) ? Math.round(Number(plain) * 100) : null;
}
