import {
  advanceClockInput,
  externalId,
  failNextPaymentInput,
  forkInput,
  forkOutput,
  recording,
  recordingQuery,
  replayInput,
  scenarioInput,
  scenarioOutput,
  setFlowInput,
  setUnderwritingResultInput,
  simulationOutput,
  tenantHistoryOutput,
  tenantViewOutput,
} from '@svc/contract';
import { z } from 'zod';
import { forkTenant, replayRecording } from '../../domain/forks/fork-tenant.ts';
import { readHistory } from '../../domain/forks/read-history.ts';
import { readRecording } from '../../domain/forks/read-recording.ts';
import { viewTenant } from '../../domain/forks/view-tenant.ts';
import { playScenario } from '../../domain/scenarios/play-scenario.ts';
import { advanceClock, failNextPayment } from '../../domain/simulation/advance-clock.ts';
import { readSimulation } from '../../domain/simulation/read.ts';
import { resetSimulation } from '../../domain/simulation/reset.ts';
import { setFlow, simulateResult } from '../../domain/simulation/set-underwriting-result.ts';
import { type Route, route } from '../route.ts';

const simulation = {
  who: 'key_or_portal',
  keyScope: 'simulation',
  scope: 'admin',
  tag: 'Simulation',
  sandboxOnly: true,
  params: z.strictObject({ external_id: externalId }),
  output: simulationOutput,
  audit: { none: 'Exists in the sandbox only, where no money moves.' },
} as const;

export const simulationRoutes: readonly Route[] = [
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/set_underwriting_result',
    recorded: true,
    kind: 'steps',
    group: 'simulation',
    summary: 'Fix a tenant’s underwriting result',
    docs: {
      id: 'setUnderwritingResult',
      description:
        'Fixes the decision of the tenant’s next application. With `rent_cycle_date` it also moves the tenant’s clock to that due date, and runs what falls due on the way if a plan is open. Creates the tenant if you have not sent `portal_info` yet.',
      errors: ['clock_cannot_go_back', 'simulation_not_possible'],
      node: 'svc.simulation.setUnderwritingResult({external_id}, {body})',
      body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
    },
    body: setUnderwritingResultInput,
    verb: (ctx, { params, body }) => simulateResult(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/set_flow',
    recorded: true,
    kind: 'steps',
    group: 'simulation',
    summary: 'Fix a result and a due date',
    docs: {
      id: 'setFlow',
      description:
        'Deprecated: `setUnderwritingResult` does the same and lets you leave out the date.',
      errors: ['clock_cannot_go_back', 'simulation_not_possible'],
      node: 'svc.simulation.setFlow({external_id}, {body})',
    },
    // 2026-01-01, as in the contract.
    deprecated: { since: 1_767_225_600, successor: 'set_underwriting_result' },
    body: setFlowInput,
    verb: (ctx, { params, body }) => setFlow(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/advance_clock',
    recorded: true,
    kind: 'steps',
    group: 'simulation',
    summary: 'Move a tenant’s clock',
    docs: {
      id: 'advanceClock',
      description:
        'Moves the clock of this tenant only. Payments, reminders and webhooks that become due on the way happen in order, before the call returns.',
      errors: ['tenant_not_found', 'clock_cannot_go_back', 'simulation_not_possible'],
      node: 'svc.simulation.advanceClock({external_id}, {body})',
    },
    body: advanceClockInput,
    verb: (ctx, { params, body }) => advanceClock(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/fail_next_payment',
    recorded: true,
    kind: 'command',
    summary: 'Make the next payment fail',
    docs: {
      id: 'failNextPayment',
      description:
        'The next payment of this tenant fails with the code that you pass. Call it several times to let several payments fail.',
      errors: ['simulation_not_possible'],
      node: 'svc.simulation.failNextPayment({external_id}, {body})',
    },
    body: failNextPaymentInput,
    verb: (ctx, { params, body }) => failNextPayment(ctx, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/scenario',
    recorded: true,
    kind: 'steps',
    group: 'simulation',
    summary: 'Take a tenant to a point of a plan’s life',
    docs: {
      id: 'playScenario',
      description:
        'Does what the tenant would do, and moves the tenant’s clock, until the tenant is where the scenario ends. Creates the tenant, with charges, if you have not sent `portal_info` yet. Webhooks are sent as usual. A repeated call changes nothing; from a point that is past the scenario, `resetSimulation` leads back.',
      errors: ['scenario_not_reachable', 'simulation_not_possible'],
      node: 'svc.simulation.scenario({external_id}, {body})',
      body: { scenario: 'split', installment_count: 4 },
    },
    body: scenarioInput,
    output: scenarioOutput,
    verb: (ctx, { params, body }) =>
      playScenario(ctx.steps, {
        ...params,
        input: body,
        caller: { ip: ctx.address ?? '', userAgent: ctx.http.userAgent ?? '' },
      }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/reset',
    recorded: true,
    kind: 'command',
    summary: 'Reset a tenant',
    docs: {
      id: 'resetSimulation',
      description:
        'Withdraws open applications, cancels the open plan, forgets fixed results and sets the tenant’s clock back to real time. Charges and history stay.',
      errors: ['tenant_not_found', 'simulation_not_possible'],
      node: 'svc.simulation.reset({external_id})',
    },
    verb: (ctx, { params }) => resetSimulation(ctx, params),
  }),
  route({
    ...simulation,
    method: 'GET',
    path: '/simulation/{external_id}',
    kind: 'query',
    summary: 'Read a tenant’s simulation',
    docs: {
      id: 'getSimulation',
      description: 'Returns the tenant’s clock and the results that you have fixed.',
      errors: ['tenant_not_found'],
      node: 'svc.simulation.get({external_id})',
    },
    verb: (ctx, { params }) => readSimulation(ctx, params),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/fork',
    kind: 'steps',
    group: 'simulation',
    summary: 'Copy a tenant at any webhook, and change a fact',
    docs: {
      id: 'forkTenant',
      description:
        'Makes a copy of the tenant as it was right after a webhook, by repeating the recorded calls about the tenant under a new external id, and then changes one fact. If the copy’s webhooks are not equal to the tenant’s, it is refused with the first difference. A webhook that one transaction published with others brings all of them. Webhooks about the copy go nowhere unless you ask for them, and no mails are sent about it.',
      errors: [
        'tenant_not_found',
        'message_not_found',
        'not_reproducible',
        'simulation_not_possible',
      ],
      node: 'svc.simulation.fork({external_id}, {body})',
    },
    body: forkInput,
    output: forkOutput,
    verb: (ctx, { params, body }) => forkTenant(ctx, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'GET',
    path: '/simulation/{external_id}/recording',
    kind: 'query',
    summary: 'Read the recorded calls about a tenant',
    docs: {
      id: 'getRecording',
      description:
        'Returns the calls about the tenant and the webhooks that they caused, as `replayRecording` takes them. Keep it as a test: another sandbox plays it again.',
      errors: ['tenant_not_found', 'message_not_found'],
      node: 'svc.simulation.recording({external_id}, {query})',
    },
    query: recordingQuery,
    output: recording,
    // It has what the tenant entered.
    secret: true,
    verb: (ctx, { params, query }) => readRecording(ctx, { ...params, ...query }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/replay',
    kind: 'steps',
    group: 'simulation',
    summary: 'Play a recording as a new tenant',
    docs: {
      id: 'replayRecording',
      description:
        'Plays a recording as a tenant that does not exist yet, and then changes one fact. Webhooks are sent as usual. If they are not equal to those of the recording, it is refused with the first difference.',
      errors: ['not_reproducible', 'simulation_not_possible'],
      node: 'svc.simulation.replay({external_id}, {body})',
    },
    body: replayInput,
    output: forkOutput,
    verb: (ctx, { params, body }) => replayRecording(ctx, { ...params, input: body }),
  }),
  route({
    method: 'POST',
    path: '/simulation/{external_id}/view',
    who: 'portal',
    scope: 'admin',
    kind: 'command',
    tag: 'Simulation',
    summary: 'Open the experience to see what the tenant sees',
    internal: true,
    sandboxOnly: true,
    params: simulation.params,
    output: tenantViewOutput,
    audit: simulation.audit,
    verb: (ctx, { params }) => viewTenant(ctx, params),
  }),
  route({
    ...simulation,
    method: 'GET',
    path: '/simulation/{external_id}/history',
    kind: 'query',
    summary: 'Read all that happened to a tenant',
    docs: {
      id: 'getTenantHistory',
      description:
        'Returns the calls, the webhooks and the transfers in the ledger of a tenant of the sandbox, to compare it with a copy.',
      errors: ['tenant_not_found'],
      node: 'svc.simulation.history({external_id})',
    },
    output: tenantHistoryOutput,
    verb: (ctx, { params }) => readHistory(ctx, params),
  }),
];
