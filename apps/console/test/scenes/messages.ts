import { nobody, type Scene, skeletonShown } from './scene.ts';

const troubled = '/messages/evt_01sample0002';

export const messages: Scene[] = [
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
    shows: 'No messages match',
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
  {
    name: 'messages-channel',
    open: { path: '/messages?channel=building-7' },
    async play(page) {
      await page.getByRole('button', { name: 'Channel: building-7' }).click();
      await page.getByRole('combobox', { name: 'Channel' }).fill('building 7');
    },
    shows: 'can’t be a channel',
  },
  { name: 'message-retrying', open: { path: troubled }, shows: 'database is locked' },
  {
    name: 'message-failed',
    open: { path: '/messages/evt_01sample0003' },
    shows: 'all eight attempts failed',
  },
  {
    name: 'message-replayed',
    open: { path: '/messages/evt_01sample0004' },
    shows: 'sent manually',
  },
  {
    name: 'message-hostile',
    open: { path: '/messages/evt_01sample0005' },
    shows: 'truncated at 16 KiB',
  },
  {
    name: 'message-nobody',
    open: { path: '/messages/evt_01sample0006' },
    shows: 'No endpoint was subscribed',
  },
  {
    name: 'message-skipped',
    open: { path: '/messages/evt_01sample0007' },
    shows: 'canceled while',
  },
  {
    name: 'message-erase',
    open: { path: troubled },
    play: (page) => page.getByRole('button', { name: 'Erase the payload' }).click(),
    shows: 'Cancel deliveries that are still pending',
  },
  {
    name: 'message-erased',
    open: { path: '/messages/evt_01sample0003' },
    async play(page) {
      await page.getByRole('button', { name: 'Erase the payload' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Erase' }).click();
    },
    shows: 'The payload was erased',
  },
  { name: 'message-missing', open: { path: '/messages/evt_gone' }, shows: 'could not be loaded' },
  {
    name: 'message-loading',
    open: { path: troubled },
    faults: { 'GET /webhooks/messages/evt_01sample0002': 'hang' },
    play: skeletonShown,
    shows: 'Loading the message',
  },
];
