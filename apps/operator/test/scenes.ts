import type { Page } from 'playwright-core';
import type { State } from './fixture/answers.ts';
import type { Fault } from './fixture/service.ts';
import type { OpenOptions, Stage } from './fixture/stage.ts';

/** One page in one state: how to get there, and a text that appears once it is reached. */
export interface Scene {
  name: string;
  open: OpenOptions;
  faults?: Record<string, Fault>;
  environment?: 'production';
  /** Changes to the fixture's state. */
  state?: Partial<State>;
  play?: (page: Page) => Promise<void>;
  shows: string;
}

/** Returns a step that opens the search and types these words. */
function search(words: string): (page: Page) => Promise<void> {
  return async (page) => {
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(words);
  };
}

function chooseFile(page: Page): Promise<void> {
  return page.getByLabel('File').setInputFiles({
    name: 'operating-2026-11-25.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('account,currency,date,kind,amount,reference,description\n'),
  });
}

/** Every page in every state, for the accessibility test and the screenshots. */
export const scenes: Scene[] = [
  { name: 'link', open: { path: '#good-link', role: null }, shows: 'This link is yours alone' },
  {
    name: 'link-used',
    open: { path: '#used-link', role: null },
    play: (page) => page.getByRole('button', { name: 'Sign in' }).click(),
    shows: 'This link no longer works',
  },
  { name: 'signed-out', open: { role: null }, shows: 'Sign in with a passkey' },
  {
    name: 'sign-in-provider',
    open: { role: null },
    state: { provider: 'login.example.com' },
    shows: 'Sign in with login.example.com',
  },
  {
    name: 'not-invited',
    open: { path: '/signed-in?code=stranger&state=sample', role: null },
    state: { provider: 'login.example.com' },
    shows: 'eve@example.com',
  },
  {
    name: 'sign-in-again',
    open: { path: '/signed-in?code=good&state=sample', role: null },
    state: { provider: 'login.example.com' },
    faults: { 'POST /sign_in/oidc/finish': 'provider_unavailable' },
    shows: 'Start again',
  },
  {
    name: 'sign-in-password',
    open: { role: null },
    play: (page) => page.getByRole('button', { name: 'Use a password and a code' }).click(),
    shows: 'authenticator app shows now',
  },
  { name: 'enroll', open: {}, state: { enrolling: new Set(['admin']) }, shows: 'Create a passkey' },
  {
    name: 'enroll-password',
    open: {},
    state: { enrolling: new Set(['admin']) },
    play: (page) => page.getByRole('button', { name: 'Use a password and an app instead' }).click(),
    shows: 'Scan it with',
  },
  {
    name: 'account',
    open: { path: '/account' },
    state: { passkeys: ['key-1', 'key-2'], codesLeft: 9 },
    shows: 'Another browser',
  },
  {
    name: 'account-provider',
    open: { path: '/account' },
    state: { provider: 'login.example.com', passkeys: ['key-1'], codesLeft: 9 },
    shows: 'Company account',
  },
  {
    name: 'proof-provider',
    open: { path: '/tenants/maple/t-split?about=pay_01sample2' },
    state: { provider: 'login.example.com', passkeys: ['key-1'], isFresh: false },
    play: async (page) => {
      await page.getByRole('button', { name: 'Refund…' }).click();
      await page.getByLabel('Amount').fill('100');
      await page.getByLabel('Reason').fill('Charged twice, ticket 4821');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'Sign in with login.example.com',
  },
  {
    name: 'proof',
    open: { path: '/tenants/maple/t-split?about=pay_01sample2' },
    state: { passkeys: ['key-1'], hasPassword: true, isFresh: false },
    play: async (page) => {
      await page.getByRole('button', { name: 'Refund…' }).click();
      await page.getByLabel('Amount').fill('100');
      await page.getByLabel('Reason').fill('Charged twice, ticket 4821');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'Confirm that it is you',
  },
  {
    name: 'unreachable',
    open: {},
    faults: { 'GET /session': 'internal_error' },
    shows: 'The console can’t be reached',
  },
  { name: 'home', open: {}, shows: 'Home' },
  { name: 'home-production', open: {}, environment: 'production', shows: 'Real money' },
  {
    name: 'person',
    open: { role: 'support' },
    play: (page) => page.getByRole('button', { name: 'You' }).click(),
    shows: 'Session ends at the latest',
  },
  {
    name: 'shortcuts',
    open: {},
    play: async (page) => {
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
    },
    shows: 'Show this list',
  },
  {
    name: 'home-warning',
    open: {},
    state: { health: 'warning' },
    shows: '1 of 15 parts to look at',
  },
  { name: 'home-failed', open: {}, state: { health: 'failed' }, shows: 'All money is stopped' },
  { name: 'health', open: { path: '/health' }, shows: 'All 15 parts' },
  {
    name: 'health-failed',
    open: { path: '/health' },
    state: { health: 'failed' },
    shows: 'All money is stopped',
  },
  { name: 'home-calm', open: {}, state: { isCalm: true }, shows: 'Nothing waits' },
  { name: 'search-hint', open: {}, play: search(''), shows: 'Search by whole words' },
  { name: 'search-people', open: {}, play: search('ada lane'), shows: '3 results' },
  { name: 'search-payment', open: {}, play: search('pay_01sample2'), shows: '1 result' },
  { name: 'search-nothing', open: {}, play: search('nowhere'), shows: 'Nothing matches' },
  { name: 'search-actions', open: {}, play: search('refund'), shows: 'Refund a payment' },
  { name: 'tenant', open: { path: '/tenants/maple/t-split' }, shows: 'The portal called' },
  {
    name: 'tenant-masked',
    open: { path: '/tenants/maple/t-split', role: 'support' },
    shows: 'A••• L•••',
  },
  {
    name: 'tenant-unmask',
    open: { path: '/tenants/maple/t-split', role: 'support' },
    play: (page) => page.getByRole('button', { name: 'Show data' }).click(),
    shows: 'Why do you need it?',
  },
  {
    name: 'tenant-payment',
    open: { path: '/tenants/maple/t-split?about=pay_01sample2' },
    shows: 'Record a return',
  },
  {
    name: 'tenant-webhook',
    open: { path: '/tenants/maple/t-split?about=evt_01sample1' },
    shows: 'No answer in time',
  },
  {
    name: 'tenant-posting',
    open: { path: '/tenants/maple/t-split?about=trf_01sample1' },
    shows: 'Tenant receivable',
  },
  {
    name: 'tenant-actions',
    open: { path: '/tenants/maple/t-split' },
    play: (page) => page.getByRole('button', { name: 'Actions', exact: true }).click(),
    shows: 'Waive the fee',
  },
  {
    name: 'tenant-move',
    open: { path: '/tenants/maple/t-split' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Move…' }).first().click();
      await page.getByLabel('Due date').selectOption('Dec 10, 2026');
    },
    shows: 'Move a payment',
  },
  {
    name: 'tenant-waive',
    open: { path: '/tenants/maple/t-split' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Waive the fee' }).click();
      await page.getByLabel('All of it').check();
      await page.getByLabel('Reason').fill('Our outage on May 2');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'instead of $380.03',
  },
  {
    name: 'tenant-view',
    open: { path: '/tenants/maple/t-split' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'See what the tenant sees' }).click();
      await page.getByRole('link', { name: 'Open', exact: true }).waitFor();
    },
    shows: 'in another tab for 10 minutes',
  },
  { name: 'tenant-new', open: { path: '/tenants/maple/t-new' }, shows: 'Nothing has happened yet' },
  {
    name: 'tenant-missing',
    open: { path: '/tenants/maple/t-none' },
    shows: 'The tenant could not be loaded',
  },
  {
    name: 'tenant-filter',
    open: { path: '/tenants/maple/t-split?kinds=payment' },
    play: (page) => page.getByRole('button', { name: 'Kinds: Payments' }).click(),
    shows: 'Actions of people',
  },
  {
    name: 'refund',
    open: { path: '/tenants/maple/t-split?about=pay_01sample2' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Refund…' }).click();
      await page.getByLabel('Amount').fill('100');
      await page.getByLabel('Reason').fill('Charged twice, ticket 4821');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'If you go ahead',
  },
  {
    name: 'erase',
    open: { path: '/tenants/maple/t-split' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Actions', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Erase personal data' }).click();
    },
    shows: 'The audit log keeps it',
  },
  { name: 'queues', open: { path: '/queues' }, shows: 'Failed settlements' },
  { name: 'queue', open: { path: '/queues/settlements' }, shows: 'account closed' },
  {
    name: 'queue-chosen',
    open: { path: '/queues/settlements' },
    play: (page) => page.getByRole('checkbox').first().check(),
    shows: '1 item',
  },
  {
    name: 'queue-snooze',
    open: { path: '/queues/settlements' },
    play: async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByRole('button', { name: 'Snooze…' }).click();
    },
    shows: 'Why can it wait?',
  },
  {
    name: 'queue-view',
    open: { path: '/queues/settlements' },
    play: (page) => page.getByRole('button', { name: 'Save view' }).click(),
    shows: 'Only you see it',
  },
  {
    name: 'queue-views',
    open: { path: '/queues/settlements' },
    state: {
      views: [
        { id: 'opv_1', name: 'Failed debits', address: '/queues/settlements' },
        { id: 'opv_2', name: 'Snoozed mails', address: '/queues/mails?snoozed=true' },
      ],
    },
    shows: 'Remove view',
  },
  { name: 'queue-empty', open: { path: '/queues/payouts' }, shows: 'Nothing waits here' },
  { name: 'actions', open: { path: '/actions' }, shows: 'Refund a payment' },
  {
    name: 'report',
    open: { path: '/actions' },
    play: async (page) => {
      await page.getByRole('button', { name: 'List payouts' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'List payouts' }).click();
    },
    shows: 'pyt_01sample1',
  },
  { name: 'days', open: { path: '/money/days' }, shows: 'Ready to close' },
  {
    name: 'days-none',
    open: { path: '/money/days' },
    state: { isCalm: true },
    shows: 'No account',
  },
  { name: 'day', open: { path: '/money/days/2026-11-25' }, shows: 'MONTHLY SERVICE CHARGE' },
  { name: 'day-closed', open: { path: '/money/days/2026-11-24' }, shows: 'frozen and sealed' },
  { name: 'day-later', open: { path: '/money/days/2026-11-27' }, shows: 'Go to Wed, Nov 25' },
  {
    name: 'day-auditor',
    open: { path: '/money/days/2026-11-25', role: 'auditor' },
    shows: 'MONTHLY SERVICE CHARGE',
  },
  {
    name: 'day-match',
    open: { path: '/money/days/2026-11-25' },
    play: async (page) => {
      await page.getByRole('checkbox').first().check();
      await page.getByRole('checkbox').nth(1).check();
    },
    shows: 'differ by',
  },
  {
    name: 'day-match-dialog',
    open: { path: '/money/days/2026-11-25' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Match, post −$293.00…' }).first().click();
      await page.getByLabel('Account', { exact: true }).selectOption('processing_cost');
      await page.getByLabel('Reason').fill('Fee of the payout of Nov 25');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'If you go ahead',
  },
  {
    name: 'day-explain',
    open: { path: '/money/days/2026-11-25' },
    play: (page) => page.getByRole('button', { name: 'Explain' }).nth(2).click(),
    shows: 'Write it off…',
  },
  {
    name: 'import',
    open: { path: '/money/days' },
    play: (page) => page.getByRole('button', { name: 'Import a statement…' }).click(),
    shows: 'camt.053',
  },
  {
    name: 'import-refused',
    open: { path: '/money/days' },
    faults: { 'POST /books/statements': 'validation_failed' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Import a statement…' }).click();
      await page.getByLabel('Account', { exact: true }).selectOption('operating');
      await chooseFile(page);
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    },
    shows: 'Line 3: the amount',
  },
  {
    name: 'replace',
    open: { path: '/money/days/2026-11-25' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Replace…' }).first().click();
      await chooseFile(page);
      await page.getByLabel('Reason').fill('The bank sent Nov 25 again');
      await page.getByRole('button', { name: 'Preview' }).click();
    },
    shows: 'Undid 3 matches',
  },
  { name: 'balance', open: { path: '/money/balance?as_of=2026-10-31' }, shows: 'Cash at bank' },
  {
    name: 'ledger-account',
    open: { path: '/money/accounts/tenant_receivable?to=2026-11-25' },
    shows: 'pay_01sample2',
  },
  {
    name: 'ledger-account-none',
    open: { path: '/money/accounts/tenant_receivable?partner=none' },
    shows: 'Nothing was posted here',
  },
  { name: 'payouts', open: { path: '/money/payouts' }, shows: 'To be sent' },
  {
    name: 'payouts-none',
    open: { path: '/money/payouts' },
    state: { isCalm: true },
    shows: 'No payouts yet',
  },
  {
    name: 'payout-actions',
    open: { path: '/money/payouts' },
    play: (page) =>
      page
        .getByRole('button', { name: /Actions of/ })
        .first()
        .click(),
    shows: 'Mark as sent…',
  },
  { name: 'files', open: { path: '/money/files' }, shows: 'Cannot be read' },
  {
    name: 'files-none',
    open: { path: '/money/files' },
    state: { isCalm: true },
    shows: 'No files in the last 30 days',
  },
  {
    name: 'hand-in',
    open: { path: '/money/files' },
    play: (page) => page.getByRole('button', { name: 'Hand in a file…' }).click(),
    shows: 'Returns and corrections',
  },
  { name: 'delinquency', open: { path: '/money/reports' }, shows: '61–90' },
  { name: 'losses', open: { path: '/money/reports?report=losses' }, shows: 't-2210' },
  { name: 'fees', open: { path: '/money/reports?report=fees' }, shows: 'Nov 2026' },
  { name: 'portfolio', open: { path: '/money/reports?report=portfolio' }, shows: 'Nov 2026' },
  { name: 'partners', open: { path: '/partners' }, shows: 'Maple Residences' },
  {
    name: 'partners-empty',
    open: { path: '/partners' },
    state: { isEmpty: true },
    shows: 'No partner yet',
  },
  { name: 'partner', open: { path: '/partners/maple' }, shows: 'hooks.maple.example' },
  {
    name: 'partner-stopped',
    open: { path: '/partners/maple', role: 'auditor' },
    state: { health: 'failed' },
    shows: 'Stopped for all partners',
  },
  {
    name: 'partner-new',
    open: { path: '/partners' },
    play: async (page) => {
      await page.getByRole('button', { name: 'New partner' }).click();
      await page.getByLabel('Portal name').fill('willow');
    },
    shows: 'By a link that works once',
  },
  {
    name: 'key-handed-over',
    open: { path: '/partners/maple' },
    play: async (page) => {
      await page.getByRole('button', { name: 'New key' }).click();
      await page.getByRole('button', { name: 'Create key' }).click();
    },
    shows: 'Send this link',
  },
  {
    name: 'key-revoke',
    open: { path: '/partners/maple' },
    play: (page) => page.getByRole('button', { name: 'Revoke…' }).first().click(),
    shows: 'Even if no other key works',
  },
  { name: 'terms', open: { path: '/terms' }, shows: 'maple, all states' },
  {
    name: 'terms-filter',
    open: { path: '/terms?status=upcoming' },
    play: (page) => page.getByRole('button', { name: /^Status/ }).click(),
    shows: 'Replaced',
  },
  {
    name: 'terms-version',
    open: { path: '/terms/trm_01sample2' },
    play: (page) => page.getByText('added', { exact: false }).first().click(),
    shows: 'What it changes',
  },
  { name: 'terms-built-in', open: { path: '/terms/default-2026-11' }, shows: 'Charged off after' },
  { name: 'terms-new', open: { path: '/terms/new' }, shows: 'Nothing is stored by comparing' },
  {
    name: 'terms-mistakes',
    open: { path: '/terms/new' },
    state: {
      mistakes: [
        {
          param: 'fee_in_cents',
          code: 'invalid_value',
          message: 'must be a whole number of cents from 0 to 50000',
        },
        { param: 'grace_days', code: 'invalid_value', message: 'is no field' },
      ],
    },
    play: (page) => page.getByRole('button', { name: 'Compare' }).click(),
    shows: '2 mistakes',
  },
  {
    name: 'terms-preview',
    open: { path: '/terms/new' },
    play: (page) => page.getByRole('button', { name: 'Compare' }).click(),
    shows: 'By state',
  },
  {
    name: 'terms-apply',
    open: { path: '/terms/new' },
    play: async (page) => {
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('button', { name: 'Apply these terms' }).click();
    },
    shows: '2 rules change',
  },
  { name: 'secrets', open: { path: '/secrets' }, shows: 'SVC_SECRET_KEY' },
  { name: 'not-found', open: { path: '/nowhere' }, shows: 'Page not found' },
];

/** Opens a scene's page, plays its steps, and waits until it is ready. */
export async function setScene(
  { service, open }: Stage,
  scene: Scene,
  browser: OpenOptions['browser'],
): Promise<Page> {
  service.reset();
  service.state.environment = scene.environment ?? 'sandbox';
  Object.assign(service.state, structuredClone(scene.state ?? {}));
  for (const [call, fault] of Object.entries(scene.faults ?? {})) service.faults.set(call, fault);
  const page = await open({ ...scene.open, ...(browser && { browser }) });
  await scene.play?.(page);
  await page.getByText(scene.shows).first().waitFor({ state: 'attached' });
  return page;
}
