import { expect, test } from 'vitest';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import { useService } from './harness.ts';
import { inviteOperator, openOperatorSession, signInOperator } from './support/sign-in-operator.ts';

// Who may open the operator's console, as the command line manages it.

const svc = await useService();

async function run(request: OperatorRequest): Promise<Record<string, unknown>> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return answer.result as Record<string, unknown>;
}

async function listed(id: string) {
  const { items } = await run({ command: 'operator list' });
  return (items as { id: string }[]).find((it) => it.id === id);
}

test('people are listed on the command line, too', async () => {
  const { operatorId } = await signInOperator(svc, { role: 'support' });
  const request = { command: 'operator list' } as const;
  // A running service sends the result to the command line as JSON.
  const result = JSON.parse(JSON.stringify(await run(request)));
  expect(describeResult(request, result)).toMatch(new RegExp(`UTC +${operatorId}`));
});

test('another role holds from the next request of an open session on', async () => {
  const person = await signInOperator(svc, { role: 'support' });
  const operator_id = person.operatorId;
  expect(await run({ command: 'operator role', operator_id, role: 'finance' })).toMatchObject({
    before: 'support',
    role: 'finance',
  });
  expect((await person.call('GET', '/session')).data).toMatchObject({ role: 'finance' });
  expect(await listed(operator_id)).toMatchObject({ role: 'finance', open_sessions: 1 });
});

test('a person who is ended is signed out, and neither a link nor a name stays behind', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  const operator_id = person.operatorId;
  const { url } = await run({ command: 'operator link', operator_id });
  expect(await run({ command: 'operator end', operator_id })).toMatchObject({ sessions_ended: 1 });

  expect((await person.call('GET', '/session')).status).toBe(401);
  expect((await openOperatorSession(svc, String(url))).status).toBe(401);
  for (const request of [
    { command: 'operator end', operator_id },
    { command: 'operator link', operator_id },
    { command: 'operator role', operator_id, role: 'risk' },
  ] as const) {
    await expect(run(request)).rejects.toThrow(`Nobody who may sign in is ${operator_id}.`);
  }
  expect(await listed(operator_id)).toMatchObject({ disabled_at: expect.any(Date) });
});

test('another link lets a person in whose first one has expired', async () => {
  const invited = await inviteOperator(svc, { role: 'developer' });
  const { url } = await run({ command: 'operator link', operator_id: invited.operator_id });
  const opened = await openOperatorSession(svc, String(url));
  expect(opened.data).toMatchObject({ operator_id: invited.operator_id, role: 'developer' });
});
