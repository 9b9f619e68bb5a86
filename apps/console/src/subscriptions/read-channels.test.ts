import { createEndpointInput, messagesQuery, publishCustomInput } from '@svc/contract';
import { expect, test } from 'vitest';
import { checkChannel, checkChannels, readChannels } from './read-channels.ts';

const names = (count: number) => Array.from({ length: count }, (_, index) => `c${index}`);

test('channels are split at commas and whitespace, without duplicates', () => {
  expect(readChannels(' blue, green  blue,\n,building:7 ')).toEqual([
    'blue',
    'green',
    'building:7',
  ]);
  expect(readChannels(' , ')).toEqual([]);
});

test.for([
  'blue',
  'a.b_c:d-1, E',
  'é',
  'a"b',
  'x'.repeat(100),
  'x'.repeat(101),
  names(10).join(' '),
  names(11).join(' '),
])('%j is rejected here if and only if the service rejects it', (text) => {
  const channels = readChannels(text);
  const fits = checkChannels(text) === null;
  const endpoint = { url: 'https://a.example', channels };
  expect(createEndpointInput.safeParse(endpoint).success).toBe(fits);
  const event = { event_type: 'plan.created', data: {}, channels };
  expect(publishCustomInput.safeParse(event).success).toBe(fits);
});

test.for(['blue', 'a.b_c:d-1', 'a b', 'é', 'x'.repeat(100), 'x'.repeat(101)])(
  'as a filter, %j is rejected here if and only if the service rejects it',
  (channel) => {
    const { success } = messagesQuery.safeParse({ channel });
    expect(checkChannel(channel) === null).toBe(success);
  },
);
