import { createEndpointInput, updateEndpointInput } from '@svc/contract';
import { expect, test } from 'vitest';
import type { Endpoint } from '../api/endpoints.ts';
import {
  type Draft,
  draftFrom,
  emptyDraft,
  toCreateInput,
  toUpdateInput,
} from './endpoint-draft.ts';

const endpoint: Endpoint = {
  id: 'ep_1',
  uid: 'ledger',
  url: 'https://a.example/hook',
  description: 'Ledger',
  event_types: ['plan.*'],
  channels: ['blue', 'green'],
  filter: null,
  auth: { type: 'basic', username: 'ada' },
  header_names: ['x-team'],
  throttle_per_second: 5,
  disable_on_gone: true,
  honor_retry_after: false,
  ordered: false,
  asymmetric_signature: false,
  public_keys: [],
  metadata: {},
  state: 'enabled',
  disabled_reason: null,
  held_count: 0,
  previous_secret_expires_at: null,
  failing_since: null,
  disables_at: null,
  created_at: '2026-02-01T12:00:00.000Z',
};

function edit(change: Partial<Draft>) {
  return toUpdateInput({ ...draftFrom(endpoint), ...change }, endpoint);
}

test('the form’s request is valid under the contract', () => {
  const draft: Draft = {
    ...emptyDraft(),
    url: ' https://a.example ',
    eventTypes: ['plan.*', 'settlement.created'],
    auth: { type: 'header', username: '', password: '', name: 'x-key', value: 'k' },
    headers: [
      { key: 1, name: 'x-team', value: 'ledger' },
      { key: 2, name: '', value: 'left over' },
    ],
    throttle: '20',
    channels: 'green blue',
    uid: ' ledger ',
  };
  const input = createEndpointInput.parse(toCreateInput(draft));
  expect(input).toEqual({
    url: 'https://a.example',
    description: null,
    event_types: ['plan.*', 'settlement.created'],
    channels: ['green', 'blue'],
    uid: 'ledger',
    auth: { type: 'header', name: 'x-key', value: 'k' },
    headers: { 'x-team': 'ledger' },
    throttle_per_second: 20,
    disable_on_gone: false,
    honor_retry_after: false,
    ordered: false,
    asymmetric_signature: false,
    filter: null,
  });
});

test('an edit without changes sends nothing, including hidden credentials', () => {
  expect(edit({})).toEqual({});
});

test('an edit sends only the changed fields', () => {
  expect(updateEndpointInput.parse(edit({ description: '', throttle: '' }))).toEqual({
    description: null,
    throttle_per_second: null,
  });
  expect(edit({ eventTypes: null })).toEqual({ event_types: null });
  expect(edit({ channels: '', uid: '' })).toEqual({ channels: null, uid: null });
});

test('edited credentials and headers are replaced as a whole', () => {
  const auth = { type: 'none', username: '', password: '', name: '', value: '' } as const;
  expect(edit({ auth, headers: [] })).toEqual({ auth: { type: 'none' }, headers: {} });
});
