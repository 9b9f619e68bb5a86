import type { Page } from 'playwright-core';
import { maple } from '../fixture/maple.ts';
import { nobody, type Scene, skeletonShown } from './scene.ts';

export const consoleScenes: Scene[] = [
  { name: 'home', open: {}, shows: 'Overdue reports' },
  { name: 'home-of-a-new-partner', open: {}, partner: nobody, shows: 'Receive webhooks' },
  { name: 'deliveries', open: { path: '/deliveries' }, shows: 'No connection' },
  {
    name: 'deliveries-failures-first',
    open: { path: '/deliveries?order=failures_first' },
    shows: 'Timed out',
  },
  {
    name: 'deliveries-none-match',
    open: { path: '/deliveries?status_class=4xx' },
    shows: 'No deliveries match',
  },
  {
    name: 'deliveries-empty',
    open: { path: '/deliveries' },
    partner: nobody,
    shows: 'No deliveries yet',
  },
  {
    name: 'deliveries-loading',
    open: { path: '/deliveries' },
    faults: { 'GET /webhooks/deliveries': 'hang' },
    play: skeletonShown,
    shows: 'Loading deliveries',
  },
  {
    name: 'deliveries-export',
    open: { path: '/deliveries' },
    play: (page) => page.getByRole('button', { name: 'Export' }).click(),
    shows: 'CSV, up to 10,000 rows',
  },
  {
    name: 'delivery',
    open: {
      path: '/deliveries/evt_01sample0002/att_01sample0002_01sample2_3?order=failures_first',
    },
    shows: 'database is locked',
  },
  {
    name: 'replay-of-deliveries',
    open: {
      path: '/replays/new?status_class=3xx&external_id=t-102&endpoint_id=ep_01sample2',
    },
    shows: 'Send 1 message again',
  },
  { name: 'requests', open: { path: '/requests' }, shows: '499 closed' },
  {
    name: 'requests-empty',
    open: { path: '/requests' },
    partner: nobody,
    shows: 'No requests yet',
  },
  {
    name: 'request',
    open: { path: '/requests/req_01sample2?status=4xx' },
    shows: 'first_name is required.',
  },
  {
    name: 'api-keys',
    open: { path: '/api-keys' },
    play: (page) => page.getByRole('button', { name: 'Show 1 revoked' }).click(),
    shows: 'Hide revoked keys',
  },
  {
    name: 'api-key-created',
    open: { path: '/api-keys' },
    async play(page) {
      await page.getByRole('button', { name: 'Rotate Billing backend' }).click();
      await page.getByRole('button', { name: 'Create new key' }).click();
    },
    shows: 'Done, it is stored',
  },
  {
    name: 'api-key-revoke',
    open: { path: '/api-keys' },
    play: (page) => page.getByRole('button', { name: 'Revoke Billing backend' }).click(),
    shows: 'Revoke',
  },
  { name: 'origins', open: { path: '/origins' }, shows: 'Add origin' },
  {
    name: 'origins-refused',
    open: { path: '/origins' },
    async play(page) {
      await page.getByRole('button', { name: 'Add origin' }).click();
      await page.getByRole('textbox', { name: 'Origin 3' }).fill('portal.example');
      await page.getByRole('button', { name: 'Save' }).click();
    },
    shows: 'start it with https://',
  },
  {
    name: 'origins-empty',
    open: { path: '/origins' },
    partner: nobody,
    shows: 'The list is empty',
  },
  {
    name: 'origins-read-only',
    open: { path: '/origins', readOnly: true },
    shows: 'Your session is read-only',
  },
  { name: 'doctor', open: { path: '/doctor' }, shows: 'of 10 done' },
  {
    name: 'doctor-run',
    open: { path: '/doctor' },
    play: (page) => page.getByRole('button', { name: 'Run the checks' }).click(),
    shows: '2 checks failed',
  },
  { name: 'certify', open: { path: '/certify' }, shows: 'Abandoned' },
  {
    name: 'certify-empty',
    open: { path: '/certify' },
    partner: nobody,
    shows: 'No runs yet',
  },
  {
    name: 'certify-production',
    open: { path: '/certify' },
    environment: 'production',
    shows: 'Certify runs in the sandbox only',
  },
  { name: 'certify-new', open: { path: '/certify/new' }, shows: 'Your last run is not finished' },
  {
    name: 'certify-new-without-endpoint',
    open: { path: '/certify/new' },
    partner: nobody,
    shows: 'No endpoint to certify yet',
  },
  {
    name: 'certify-stopped',
    open: { path: '/certify/crt_01sample4' },
    shows: 'No case is running in this tab',
  },
  {
    name: 'certify-running',
    open: { path: '/certify/crt_01sample4' },
    faults: { 'POST /certifications/crt_01sample4/cases/late': 'hang' },
    play: (page) => page.getByRole('button', { name: 'Continue' }).click(),
    shows: 'Now: Late',
  },
  {
    name: 'certify-refused',
    open: { path: '/certify/crt_01sample4' },
    faults: { 'POST /certifications/crt_01sample4/cases/late': 'drop' },
    play: (page) => page.getByRole('button', { name: 'Continue' }).click(),
    shows: 'This case could not be run',
  },
  {
    name: 'certify-failed',
    open: { path: '/certify/crt_01sample4' },
    async play(page) {
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('1 case failed').waitFor();
      await page.getByText('settlement.created, a second time').click();
      await page.getByText('Request headers').click();
    },
    shows: 'Run the failed case again',
  },
  {
    name: 'certify-handshake',
    open: { path: '/certify/new' },
    partner: { ...maple(12), certifications: [] },
    async play(page) {
      await page.getByLabel('Endpoint').selectOption('ep_01sample2');
      await page.getByRole('button', { name: 'Start the run' }).click();
    },
    shows: 'Nothing else is sent before',
  },
  {
    name: 'certify-finish',
    open: { path: '/certify/crt_01sample4' },
    play: (page) => page.getByRole('button', { name: 'Finish and sign' }).click(),
    shows: 'Finish this run?',
  },
  { name: 'certify-passed', open: { path: '/certify/crt_01sample3' }, shows: 'Download JSON' },
  {
    name: 'certify-read-only',
    open: { path: '/certify/crt_01sample4', readOnly: true },
    shows: 'Your session is read-only',
  },
  { name: 'tenants', open: { path: '/tenants' }, shows: 'Blocked' },
  {
    name: 'tenants-empty',
    open: { path: '/tenants' },
    partner: nobody,
    shows: 'No tenants yet',
  },
  { name: 'tenant', open: { path: '/tenants/t-100' }, shows: 'Run scenario' },
  {
    name: 'tenant-scenario',
    open: { path: '/tenants/t-101' },
    async play(page) {
      await page.getByLabel('Take the tenant to').selectOption('past_due');
      await page.getByRole('button', { name: 'Run scenario' }).click();
    },
    shows: 'plan.created',
  },
  {
    name: 'tenant-production',
    open: { path: '/tenants/t-100' },
    environment: 'production',
    shows: 'pln_01sample1',
  },
  { name: 'settlements', open: { path: '/settlements' }, shows: 'Unsettled, late' },
  {
    name: 'settlements-report',
    open: { path: '/settlements' },
    play: (page) => page.getByRole('button', { name: 'Daily report' }).click(),
    shows: 'Download CSV',
  },
  {
    name: 'settlements-account-to-debit',
    open: { path: '/settlements' },
    play: (page) => page.getByRole('button', { name: 'Account to debit' }).click(),
    shows: 'Debit agreement of January 5, 2026',
  },
  { name: 'payouts', open: { path: '/payouts' }, shows: 'R03: no account' },
  { name: 'settlement', open: { path: '/settlements/stl_01sample1' }, shows: 'Money arrived' },
  {
    name: 'settlement-failed',
    open: { path: '/settlements/stl_01sample1' },
    play: (page) => page.getByRole('button', { name: 'Debit failed' }).click(),
    shows: 'Did the debit fail?',
  },
  {
    name: 'admin-only',
    open: { path: '/settlements', scope: 'webhooks' },
    shows: 'Your link reaches webhooks only',
  },
  { name: 'time-machine', open: { path: '/time-machine' }, shows: 't-106' },
  {
    name: 'time-machine-loading',
    open: { path: '/time-machine?tenant=t-100' },
    faults: { 'GET /simulation/t-100/history': 'hang' },
    play: skeletonShown,
    shows: 'Loading the tenant',
  },
  {
    name: 'time-machine-failed',
    open: { path: '/time-machine?tenant=t-100&copy=t-100~fork-1' },
    shows: 'The copy could not be loaded',
  },
  {
    name: 'time-machine-empty',
    open: { path: '/time-machine?tenant=t-106' },
    shows: 'No webhooks yet',
  },
  {
    name: 'time-machine-tenant',
    open: { path: '/time-machine?tenant=t-100' },
    shows: 'settlement.created',
  },
  {
    name: 'time-machine-copy',
    open: { path: '/time-machine?tenant=t-100' },
    play: (page) => copyTenant(page, 'The next payment fails', 'R01', false),
    shows: 'What is different',
  },
  {
    name: 'time-machine-comparison',
    open: { path: '/time-machine?tenant=t-100' },
    play: (page) => copyTenant(page, 'The next payment fails', 'R01'),
    shows: 'First difference',
  },
  {
    name: 'time-machine-not-reproducible',
    open: { path: '/time-machine?tenant=t-100' },
    play: (page) => copyTenant(page, 'The terms', 'next'),
    shows: 'The copy did not come out like the tenant',
  },
  {
    name: 'time-machine-in-production',
    open: { path: '/time-machine' },
    environment: 'production',
    shows: 'Only in the sandbox',
  },
];

/** Copies the tenant after the webhook of the settlement, or fills the dialog only. */
async function copyTenant(page: Page, change: string, value: string, sends = true) {
  await page.getByRole('button', { name: 'Copy from here after settlement.created' }).click();
  await page.getByLabel('What is different').selectOption(change);
  await page.getByRole('alertdialog').getByRole('textbox').fill(value);
  if (sends) await page.getByRole('button', { name: 'Copy the tenant' }).click();
}
