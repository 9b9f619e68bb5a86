import {
  advanceClockInput,
  externalId,
  failNextPaymentInput,
  scenarioInput,
  scenarioOutput,
  setFlowInput,
  setUnderwritingResultInput,
  simulationOutput,
} from '@svc/contract';
import { z } from 'zod';
import {
  advanceClock,
  failNextPayment,
  playScenario,
  readSimulation,
  resetSimulation,
  setFlow,
  simulateResult,
} from '../../domain/index.ts';
import { type Route, route } from '../route.ts';

const simulation = {
  who: 'key_or_portal',
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
    kind: 'steps',
    summary: 'Set a tenant’s underwriting result and, with a date, the tenant’s clock',
    body: setUnderwritingResultInput,
    verb: (ctx, { params, body }) => simulateResult(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/set_flow',
    kind: 'steps',
    summary: 'Use set_underwriting_result instead',
    // 2026-01-01, as in the contract.
    deprecated: { since: 1_767_225_600, successor: 'set_underwriting_result' },
    body: setFlowInput,
    verb: (ctx, { params, body }) => setFlow(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/advance_clock',
    kind: 'steps',
    summary: 'Move a tenant’s clock forward and run everything that becomes due',
    body: advanceClockInput,
    verb: (ctx, { params, body }) => advanceClock(ctx.steps, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/fail_next_payment',
    kind: 'command',
    summary: 'Make a tenant’s next payment fail',
    body: failNextPaymentInput,
    verb: (ctx, { params, body }) => failNextPayment(ctx, { ...params, input: body }),
  }),
  route({
    ...simulation,
    method: 'POST',
    path: '/simulation/{external_id}/scenario',
    kind: 'steps',
    summary: 'Take a tenant, new or known, to a point of a plan’s life',
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
    kind: 'command',
    summary: 'Return a tenant to real time and cancel everything open',
    verb: (ctx, { params }) => resetSimulation(ctx, params),
  }),
  route({
    ...simulation,
    method: 'GET',
    path: '/simulation/{external_id}',
    kind: 'query',
    summary: 'Read the simulation of a tenant',
    verb: (ctx, { params }) => readSimulation(ctx, params),
  }),
];
