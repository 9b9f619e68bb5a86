/** The scopes of API keys. `everything` includes the others. */
export const keyScopes = [
  'widget',
  'tokens',
  'read',
  'settlements',
  'webhooks',
  'simulation',
  'everything',
] as const;
export type KeyScope = (typeof keyScopes)[number];

/** A sentence for each scope, for the console and the reference. */
export const keyScopeWords: Readonly<Record<KeyScope, string>> = {
  widget: 'Sign the widget.',
  tokens: 'Send tenants and get tenant tokens.',
  read: 'Read everything but secrets and the account to debit.',
  settlements: 'Confirm, return and refund settlements and payouts, and read the account to debit.',
  webhooks: 'Manage endpoints with their secrets, messages and replays.',
  simulation: 'Set results and clocks of tenants, in the sandbox.',
  everything: 'All of this, and keys, console links and settings.',
};
