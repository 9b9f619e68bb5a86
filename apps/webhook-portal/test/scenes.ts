import type { Page } from 'playwright-core';
import type { Partner } from './fixture/maple.ts';
import type { Fault } from './fixture/service.ts';
import type { OpenOptions } from './fixture/stage.ts';

/** One state of one page: how to get there, and what shows that it is there. */
export interface Scene {
  name: string;
  open: OpenOptions;
  partner?: Partner;
  faults?: Record<string, Fault>;
  environment?: 'production';
  play?: (page: Page) => Promise<void>;
  /** Visible once the scene stands. */
  shows: string;
}

/** Skeletons come after 150 ms, so that a fast answer never flashes. */
async function skeletonShown(page: Page): Promise<void> {
  const opacity = () =>
    [...document.querySelectorAll('.svc-skeleton')].some(
      (bar) => getComputedStyle(bar).opacity === '1',
    );
  await page.waitForFunction(opacity);
}

const nobody: Partner = { endpoints: [], messages: [], attempts: [] };
const list = 'GET /webhooks/endpoints';
const troubled = '/messages/evt_01sample0002';

/** Every page and state, for the accessibility test and the screenshots. */
export const scenes: Scene[] = [
  { name: 'access-open', open: { path: '#good-link', signedIn: false }, shows: 'Open the portal' },
  {
    name: 'access-used',
    open: { path: '#old-link', signedIn: false },
    play: (page) => page.getByRole('button', { name: 'Open the portal' }).click(),
    shows: 'This link no longer works',
  },
  { name: 'access-none', open: { signedIn: false }, shows: 'You need a link' },
  {
    name: 'access-unreachable',
    open: {},
    faults: { 'GET /portal/session': 'internal_error' },
    shows: 'can’t be reached',
  },
  { name: 'endpoints', open: { path: '/endpoints' }, shows: 'Resident ledger' },
  {
    name: 'endpoints-empty',
    open: { path: '/endpoints' },
    partner: nobody,
    shows: 'No endpoint yet',
  },
  {
    name: 'endpoints-loading',
    open: { path: '/endpoints' },
    faults: { [list]: 'hang' },
    play: skeletonShown,
    shows: 'Loading endpoints',
  },
  {
    name: 'endpoints-error',
    open: { path: '/endpoints' },
    faults: { [list]: 'internal_error' },
    shows: 'could not be loaded',
  },
  {
    name: 'endpoints-read-only',
    open: { path: '/endpoints', readOnly: true },
    play: (page) => page.getByRole('button', { name: 'Read only' }).click(),
    shows: 'change nothing',
  },
  {
    name: 'endpoint',
    open: { path: '/endpoints/ep_01sample1' },
    shows: 'of the last',
  },
  {
    name: 'endpoint-secret-rotated',
    open: { path: '/endpoints/ep_01sample2' },
    async play(page) {
      await page.getByRole('button', { name: 'Rotate' }).click();
      await page.getByRole('button', { name: 'Make a new secret' }).click();
    },
    shows: 'still signs for',
  },
  {
    name: 'endpoint-disabled',
    open: { path: '/endpoints/ep_01sample3' },
    shows: 'Enable and send 12',
  },
  {
    name: 'endpoint-menu',
    open: { path: '/endpoints/ep_01sample1' },
    play: (page) => page.getByRole('button', { name: 'More actions' }).click(),
    shows: 'Disable',
  },
  {
    name: 'endpoint-rotate',
    open: { path: '/endpoints/ep_01sample1' },
    play: (page) => page.getByRole('button', { name: 'Rotate' }).click(),
    shows: 'During the overlap',
  },
  {
    name: 'endpoint-delete',
    open: { path: '/endpoints/ep_01sample1' },
    async play(page) {
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Delete' }).click();
      await page.getByLabel('Type its URL').fill('https://maple.example');
    },
    shows: 'gone for good',
  },
  { name: 'endpoint-missing', open: { path: '/endpoints/ep_gone' }, shows: 'does not exist' },
  {
    name: 'endpoint-read-only',
    open: { path: '/endpoints/ep_01sample2', readOnly: true },
    shows: 'can’t read it',
  },
  {
    name: 'endpoint-verify',
    open: { path: '/endpoints/ep_01sample2/verify?lang=python' },
    shows: 'hmac.compare_digest',
  },
  { name: 'endpoint-new', open: { path: '/endpoints/new' }, shows: 'Create endpoint' },
  {
    name: 'endpoint-new-filled',
    open: { path: '/endpoints/new' },
    async play(page) {
      await page.getByLabel('URL').fill('https://ada:pw@maple.example');
      await page.getByLabel('Only some').check();
      await page.getByLabel('Plan', { exact: true }).check();
      await page.getByLabel('Basic').check();
      await page.getByText('Headers, rate and more').click();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByRole('button', { name: 'Create endpoint' }).click();
    },
    shows: 'Take the user name',
  },
  { name: 'endpoint-edit', open: { path: '/endpoints/ep_01sample2/edit' }, shows: 'Save changes' },
  {
    name: 'endpoint-new-read-only',
    open: { path: '/endpoints/new', readOnly: true },
    shows: 'read-only',
  },
  { name: 'messages', open: { path: '/messages' }, shows: 'Show older messages' },
  {
    name: 'messages-empty',
    open: { path: '/messages' },
    partner: nobody,
    shows: 'No messages yet',
  },
  {
    name: 'messages-loading',
    open: { path: '/messages' },
    faults: { 'GET /webhooks/messages': 'hang' },
    play: skeletonShown,
    shows: 'Loading messages',
  },
  {
    name: 'messages-error',
    open: { path: '/messages' },
    faults: { 'GET /webhooks/messages': 'rate_limited' },
    shows: 'could not be loaded',
  },
  {
    name: 'messages-filtered',
    open: {
      path: '/messages?state=failed&endpoint_id=ep_01sample2&since=2026-02-20T00:00:00.000Z',
    },
    shows: 'Retrying or failed',
  },
  {
    name: 'messages-none-match',
    open: { path: '/messages?external_id=nobody' },
    shows: 'No message matches',
  },
  {
    name: 'messages-facet',
    open: { path: '/messages' },
    play: (page) => page.getByRole('button', { name: 'State' }).click(),
    shows: 'Retrying or failed',
  },
  {
    name: 'messages-time',
    open: { path: '/messages' },
    play: (page) => page.getByRole('button', { name: 'Time' }).click(),
    shows: 'Last 24 hours',
  },
  { name: 'message-retrying', open: { path: troubled }, shows: 'database is locked' },
  {
    name: 'message-failed',
    open: { path: '/messages/evt_01sample0003' },
    shows: 'all eight attempts failed',
  },
  { name: 'message-replayed', open: { path: '/messages/evt_01sample0004' }, shows: 'sent by hand' },
  { name: 'message-hostile', open: { path: '/messages/evt_01sample0005' }, shows: 'cut at 16 KiB' },
  {
    name: 'message-nobody',
    open: { path: '/messages/evt_01sample0006' },
    shows: 'No endpoint was subscribed',
  },
  { name: 'message-skipped', open: { path: '/messages/evt_01sample0007' }, shows: 'given up' },
  { name: 'message-missing', open: { path: '/messages/evt_gone' }, shows: 'could not be loaded' },
  {
    name: 'message-loading',
    open: { path: troubled },
    faults: { 'GET /webhooks/messages/evt_01sample0002': 'hang' },
    play: skeletonShown,
    shows: 'Loading the message',
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
    name: 'testing',
    open: { path: '/testing?event_type=plan.created' },
    shows: 'The answer appears here',
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
    shows: 'reapply_after is missing',
  },
  { name: 'publish', open: { path: '/testing?way=publish' }, shows: 'It will go to 1 endpoint' },
  {
    name: 'publish-done',
    open: { path: '/testing?way=publish&event_type=plan.created' },
    async play(page) {
      await page.getByLabel('data').fill('{ "plan_id": 5 }');
      await page.getByRole('button', { name: 'Publish event' }).click();
    },
    shows: 'does not fit the schema',
  },
  {
    name: 'testing-read-only',
    open: { path: '/testing', readOnly: true },
    shows: 'not send anything',
  },
  { name: 'debugger', open: { path: '/debugger' }, shows: 'What is wrong appears here' },
  {
    name: 'debugger-rewritten',
    open: { path: '/debugger' },
    play: (page) => page.getByRole('button', { name: 'Fill in an example' }).click(),
    shows: 'without spaces',
  },
  { name: 'not-found', open: { path: '/nowhere' }, shows: 'no page at this address' },
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
    shows: 'Like the system',
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
