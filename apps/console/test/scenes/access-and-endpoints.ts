import { maple, type Partner } from '../fixture/maple.ts';
import { ago } from '../fixture/samples.ts';
import { nobody, type Scene, skeletonShown } from './scene.ts';

const list = 'GET /webhooks/endpoints';

function failing(): Partner {
  const partner = maple(12);
  const since = { failing_since: ago(86_400), disables_at: ago(-4 * 86_400) };
  Object.assign(partner.endpoints[0] ?? {}, since);
  return partner;
}

export const accessAndEndpoints: Scene[] = [
  { name: 'access-open', open: { path: '#good-link', signedIn: false }, shows: 'Open the console' },
  {
    name: 'access-used',
    open: { path: '#old-link', signedIn: false },
    play: (page) => page.getByRole('button', { name: 'Open the console' }).click(),
    shows: 'This link no longer works',
  },
  {
    name: 'key-link',
    open: { path: '#svc_kl_fresh', signedIn: false },
    shows: 'Your API key is ready',
  },
  {
    name: 'key-shown',
    open: { path: '#svc_kl_fresh', signedIn: false },
    play: (page) => page.getByRole('button', { name: 'Show the key' }).click(),
    shows: 'Your API key for the sandbox',
  },
  {
    name: 'key-stored',
    open: { path: '#svc_kl_fresh', signedIn: false },
    play: async (page) => {
      await page.getByRole('button', { name: 'Show the key' }).click();
      await page.getByRole('button', { name: 'I have stored the key' }).click();
    },
    shows: 'The key is stored',
  },
  {
    name: 'key-opened-before',
    open: { path: '#svc_kl_opened', signedIn: false },
    play: (page) => page.getByRole('button', { name: 'Show the key' }).click(),
    shows: 'someone else may have it',
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
    shows: 'No endpoints yet',
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
    shows: 'cannot change anything',
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
      await page.getByRole('button', { name: 'Create new signing secret' }).click();
    },
    shows: 'still signs for',
  },
  {
    name: 'endpoint-disabled',
    open: { path: '/endpoints/ep_01sample3' },
    shows: 'Enable and send 12',
  },
  {
    name: 'endpoint-failing',
    open: { path: '/endpoints/ep_01sample1' },
    partner: failing(),
    shows: 'Deliveries are failing',
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
      await page.getByLabel('Type the URL').fill('https://maple.example');
    },
    shows: 'deleted permanently',
  },
  { name: 'endpoint-missing', open: { path: '/endpoints/ep_gone' }, shows: 'does not exist' },
  {
    name: 'endpoint-read-only',
    open: { path: '/endpoints/ep_01sample2', readOnly: true },
    shows: 'can’t view the secret',
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
      await page.getByLabel('Selected events').check();
      await page.getByLabel('Plan', { exact: true }).check();
      await page.getByLabel('Basic').check();
      await page.getByText('Headers, rate limit, channels, filter, and more').click();
      await page.getByRole('button', { name: 'Add a header' }).click();
      await page.getByLabel('Channels').fill('building 7, "accounting"');
      await page.getByRole('button', { name: 'Create endpoint' }).click();
    },
    shows: 'Remove the username',
  },
  { name: 'endpoint-edit', open: { path: '/endpoints/ep_01sample2/edit' }, shows: 'Save changes' },
  {
    name: 'endpoint-new-read-only',
    open: { path: '/endpoints/new', readOnly: true },
    shows: 'read-only',
  },
];
