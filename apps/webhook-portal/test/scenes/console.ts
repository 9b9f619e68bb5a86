import { nobody, type Scene, skeletonShown } from './scene.ts';

export const consoleScenes: Scene[] = [
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
];
