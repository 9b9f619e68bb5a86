import type { Scene } from './scene.ts';

export const others: Scene[] = [
  { name: 'appearance', open: { path: '/appearance' }, shows: 'Choosing a plan' },
  {
    name: 'appearance-pale',
    open: { path: '/appearance' },
    async play(page) {
      await page.getByLabel('Accent', { exact: true }).fill('#fde047');
      await page.getByRole('button', { name: 'Save' }).click();
    },
    shows: 'too little contrast on light pages',
  },
  { name: 'catalog', open: { path: '/event-catalog' }, shows: 'settlement.created' },
  {
    name: 'catalog-none',
    open: { path: '/event-catalog?q=zebra' },
    shows: 'No event type matches',
  },
  {
    name: 'catalog-type',
    open: { path: '/event-catalog/plan.created' },
    shows: 'amount_financed_in_cents',
  },
  {
    name: 'catalog-example',
    open: { path: '/event-catalog/settlement.created' },
    play: (page) => page.getByRole('tab', { name: 'Example' }).click(),
    shows: 'debit_by',
  },
  {
    name: 'catalog-typescript',
    open: { path: '/event-catalog/plan.created' },
    play: (page) => page.getByRole('tab', { name: 'TypeScript' }).click(),
    shows: 'interface PlanCreatedData',
  },
  {
    name: 'testing-preset',
    open: { path: '/testing?event_type=plan.created' },
    async play(page) {
      await page.getByRole('button', { name: 'Save as preset' }).click();
      await page.getByLabel('Name').fill('A plan of three');
      await page.getByLabel('Name').press('Enter');
    },
    shows: 'Saved A plan of three',
  },
  {
    name: 'testing',
    open: { path: '/testing?event_type=plan.created' },
    shows: 'The response appears here',
  },
  {
    name: 'testing-sent',
    open: { path: '/testing?event_type=application.declined' },
    play: (page) => page.getByRole('button', { name: 'Send test' }).click(),
    shows: 'test send',
  },
  {
    name: 'testing-wrong',
    open: { path: '/testing?event_type=application.declined' },
    play: (page) => page.getByLabel('data').fill('{ "object_version": 1.5, "colour": true }'),
    shows: 'colour is not a field of this type',
  },
  { name: 'publish', open: { path: '/testing?way=publish' }, shows: 'It will go to 1 endpoint' },
  {
    name: 'publish-done',
    open: { path: '/testing?way=publish&event_type=plan.created' },
    async play(page) {
      await page.getByLabel('data').fill('{ "plan_id": 5 }');
      await page.getByRole('button', { name: 'Publish event' }).click();
    },
    shows: 'does not match the schema',
  },
  {
    name: 'testing-read-only',
    open: { path: '/testing', readOnly: true },
    shows: 'not send anything',
  },
  { name: 'doctor', open: { path: '/doctor' }, shows: 'Results appear here' },
  {
    name: 'doctor-results',
    open: { path: '/doctor' },
    async play(page) {
      await page.getByLabel('Address of your page').fill('https://portal.example.com/rent');
      await page.getByLabel('Tenant').fill('t-100');
      await page.getByRole('button', { name: 'Run the checks' }).click();
    },
    shows: '2 checks failed',
  },
  { name: 'debugger', open: { path: '/debugger' }, shows: 'Findings appear here' },
  {
    name: 'debugger-rewritten',
    open: { path: '/debugger' },
    play: (page) => page.getByRole('button', { name: 'Fill in an example' }).click(),
    shows: 'without spaces',
  },
  { name: 'not-found', open: { path: '/nowhere' }, shows: 'Page not found' },
  {
    name: 'shortcuts',
    open: { path: '/endpoints' },
    async play(page) {
      await page.getByText('Resident ledger').waitFor({ state: 'attached' });
      await page.keyboard.press('?');
    },
    shows: 'Next and previous row',
  },
  {
    name: 'menu-theme',
    open: { path: '/endpoints' },
    play: (page) => page.getByRole('button', { name: 'Theme' }).click(),
    shows: 'System',
  },
  {
    name: 'menu-session',
    open: { path: '/endpoints' },
    play: (page) => page.getByRole('button', { name: 'Session' }).click(),
    shows: 'Sign out',
  },
  {
    name: 'production',
    open: { path: '/endpoints' },
    environment: 'production',
    shows: 'Resident ledger',
  },
];
