import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEndpointInput, updateEndpointInput } from './api/endpoints.ts';
import { testPresetInput } from './api/portal.ts';
import { createReplayInput } from './api/replays.ts';
import { attemptsQuery, messagesQuery, publishCustomInput, testSendInput } from './api/webhooks.ts';
import { eventTypeName, eventTypeOrGroup, eventTypes } from './event-types.ts';

test.each([
  ['plan.craeted', '"plan.craeted" is not an event type. Did you mean plan.created?'],
  ['plan.canceledd', '"plan.canceledd" is not an event type. Did you mean plan.canceled?'],
  ['Plan.Created', '"Plan.Created" is not an event type. Did you mean plan.created?'],
  ['plan_created', '"plan_created" is not an event type. Did you mean plan.created?'],
  ['plans.*', '"plans.*" is not an event type. Did you mean plan.*?'],
  ['settlement', '"settlement" is not an event type. Did you mean settlement.*?'],
  ['*', '"*" is not an event type. For all types, leave this field out'],
  [
    'settlement.paid_in_full',
    '"settlement.paid_in_full" is not an event type. settlement.* has settlement.created, settlement.updated, settlement.failed',
  ],
])('%s is refused with a suggestion', (name, message) => {
  expect(eventTypeOrGroup.safeParse(name).error?.issues).toMatchObject([{ message }]);
});

test('a name unlike any type is refused with the list of groups', () => {
  const [issue] = eventTypeOrGroup.safeParse('nonsense.*').error?.issues ?? [];
  expect(issue?.message).toMatch(
    /^"nonsense\.\*" is not an event type\. The groups are tenant\.\*, .*message\.\*; see GET \/webhooks\/event_types$/,
  );
});

test('a long name is cut in the message and refused quickly', () => {
  const [issue] = eventTypeOrGroup.safeParse('x'.repeat(100_000)).error?.issues ?? [];
  expect(issue?.message.length).toBeLessThan(400);
});

test('a field for one type neither accepts nor suggests a group', () => {
  expect(eventTypeName.safeParse('plan.created').success).toBe(true);
  const [issue] = eventTypeName.safeParse('plan.*').error?.issues ?? [];
  expect(issue?.message).toMatch(/^"plan\.\*" is not an event type\. plan\.\* has plan\.created, /);
});

const refused = [{ message: expect.stringContaining('Did you mean plan.created?') }];
const wrong = ['plan.craeted'];
const since = '2026-01-20';
test.each([
  ['creating an endpoint', createEndpointInput, { url: 'https://a.example', event_types: wrong }],
  ['changing an endpoint', updateEndpointInput, { event_types: wrong }],
  ['a bulk replay', createReplayInput, { endpoint_id: 'e', since, filter: { event_types: wrong } }],
  ['the list of messages', messagesQuery, { event_type: 'tenant.*,plan.craeted' }],
  ['the list of attempts', attemptsQuery, { event_type: 'plan.craeted' }],
  ['a test send', testSendInput, { event_type: 'plan.craeted' }],
  ['a custom event', publishCustomInput, { event_type: 'plan.craeted', data: {} }],
  ['a saved test', testPresetInput, { name: 'a', event_type: 'plan.craeted', body: '{}' }],
])('%s refuses an unknown type', (_, schema, input) => {
  expect(schema.safeParse(input).error?.issues).toMatchObject(refused);
});

test('the JSON Schema lists the accepted names', () => {
  expect(z.toJSONSchema(eventTypeName)).toMatchObject({ type: 'string', enum: eventTypes });
  expect(z.toJSONSchema(eventTypeOrGroup).enum).toContain('plan.*');
});
