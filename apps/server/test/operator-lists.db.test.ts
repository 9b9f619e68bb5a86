import { expect, test } from 'vitest';
import { describeResult, type OperatorRequest } from '../src/operator/administer.ts';
import { useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const partner = await svc.newPartner();
const { pms, key } = partner;

async function run(request: OperatorRequest): Promise<{ result: object; text: string }> {
  const answer = await svc.administer(request);
  if (!answer.ok) throw new Error(answer.message);
  return { result: answer.result, text: describeResult(request, answer.result) };
}

async function refusal(request: OperatorRequest): Promise<string> {
  const answer = await svc.administer(request);
  return answer.ok ? 'done' : answer.message;
}

test('partners are listed with their live keys', async () => {
  const other = await svc.newPartner();
  await svc.administer({ command: 'key create', pms });
  const { result, text } = await run({ command: 'partner list' });
  expect(result).toMatchObject({
    items: expect.arrayContaining([
      expect.objectContaining({ pms, live_keys: 2 }),
      expect.objectContaining({ pms: other.pms, live_keys: 1, last_used_at: null }),
    ]),
  });
  const line = text.split('\n').find((it) => it.startsWith(`${pms} `));
  expect(line).toMatch(/ 2$/);
});

test('a plan is shown by its id, with its payments', async () => {
  const { plan, externalId } = await withPlan(svc, partner, 't-plan');
  const { result, text } = await run({ command: 'plan show', plan_id: plan.id });
  expect(result).toMatchObject({
    id: plan.id,
    pms,
    external_id: externalId,
    state: 'active',
    installments: [{ number: 1, state: 'paid' }, {}, {}, {}],
    payments: [{ state: 'succeeded', plan_id: plan.id }],
  });
  expect(text).toContain(`tenant     ${pms}/${externalId}`);
  expect(text).not.toContain('Ada');
  expect(await refusal({ command: 'plan show', plan_id: 'pln_x' })).toBe('There is no plan pln_x.');
});

test('settlements are listed by partner, status and age', async () => {
  const failing = await withPlan(svc, partner, 't-failed');
  const { settlement_id: id } = await failing.read();
  const debit = { status: 'unverified', processor_transaction_id: 'debit-1' };
  await svc.call('PATCH', `/settlements/${id}`, { key, body: debit });
  await svc.call('PATCH', `/settlements/${id}`, {
    key,
    body: { status: 'failed', failure_reason: 'R02' },
  });
  const failed = { command: 'settlement list', pms, status: 'failed' } as const;
  const { result, text } = await run(failed);
  expect(result).toMatchObject({ items: [{ id, status: 'failed', failure_reason: 'R02' }] });
  expect(text).toContain(`${id}  ${pms}/t-failed  failed`);

  const late = await withPlan(svc, partner, 't-late');
  const stale = { command: 'settlement list', stale: true } as const;
  expect((await run(stale)).text).toBe('There are no settlements.\n');
  await late.simulate('advance_clock', { by: 'P20D' });
  expect((await run(stale)).result).toMatchObject({
    items: [{ external_id: 't-late', status: 'unsettled', is_stale: true }],
  });
  expect((await run({ command: 'settlement list', pms })).result).toMatchObject({
    items: [{ external_id: 't-late' }, { external_id: 't-failed' }, { external_id: 't-plan' }],
  });
  expect(await refusal({ command: 'settlement list', pms: 'nowhere' })).toBe(
    'There is no partner nowhere.',
  );
});
