import { advanceClockInput, externalId, forkInput, scenarioInput } from '@svc/contract';
import { z } from 'zod';
import { defineTool, noInput } from '../tool.ts';

const tenant = externalId.meta({ description: 'The tenant: your own id of it, such as "t-100".' });

const showPartner = defineTool({
  name: 'show_partner',
  title: 'Show the partner of the key',
  description:
    'Returns the portal name (`pms`) for the widget’s settings, the environment, and the scopes of the API key. Use it first, to check the connection.',
  input: noInput,
  example: {},
  run: (service) => service.call('GET /partner'),
});

const runDoctor = defineTool({
  name: 'run_doctor',
  title: 'Check the integration',
  description:
    'Runs the doctor: the key, the allowed origins, the page with the widget (address, size, Content Security Policy), the tenant’s signature and charges, and each webhook endpoint with a valid, a test, a forged and a repeated message. Each failed check has a fix. It sends test messages to your endpoints and stores nothing. Run it after each change.',
  input: z.strictObject({
    page_url: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({ description: 'Your page with the widget, fetched once, without cookies.' }),
    external_id: tenant.optional(),
  }),
  example: { page_url: 'http://localhost:3000/rent', external_id: 't-100' },
  openWorld: true,
  run: (service, body) => service.call('POST /partner/doctor', { body, timeoutMs: 90_000 }),
});

const listScenarios = defineTool({
  name: 'list_scenarios',
  title: 'List the scenarios',
  description:
    'Lists the points of a plan’s life that play_scenario takes a tenant to, and the options of each.',
  input: noInput,
  example: {},
  async run() {
    const { scenario, ...options } = scenarioInput.shape;
    return {
      scenarios: scenario.options,
      about: scenario.meta()?.description,
      options: Object.fromEntries(
        Object.entries(options).map(([name, schema]) => [name, schema.meta()?.description]),
      ),
    };
  },
});

const playScenario = defineTool({
  name: 'play_scenario',
  title: 'Take a tenant to a point of a plan’s life',
  description:
    'Takes a tenant of the sandbox to a scenario such as "split", and sends the real webhooks of everything on the way. A new external_id creates the tenant. Afterwards use list_messages to see whether your receiver accepted them.',
  input: z.strictObject({ external_id: tenant, ...scenarioInput.shape }),
  example: { external_id: 't-100', scenario: 'split' },
  access: 'write',
  idempotent: true,
  openWorld: true,
  run: (service, { external_id, ...body }) =>
    service.call('POST /simulation/{external_id}/scenario', {
      params: { external_id },
      body,
      timeoutMs: 60_000,
    }),
});

const showTenant = defineTool({
  name: 'show_tenant',
  title: 'Show a tenant',
  description:
    'Returns a tenant as the service sees it: eligibility with its reason, the month that is due, the plan with its payments, the settlement, and the simulated clock.',
  input: z.strictObject({ external_id: tenant }),
  example: { external_id: 't-100' },
  run: (service, params) => service.call('GET /tenants/{external_id}', { params }),
});

const advanceClock = defineTool({
  name: 'advance_clock',
  title: 'Move a tenant’s clock',
  description:
    'Moves a sandbox tenant’s clock forward and runs everything that falls due until then: payments, reminders, webhooks. The clock never goes back; reset_tenant starts over.',
  input: z.strictObject({ external_id: tenant, ...advanceClockInput.shape }),
  example: { external_id: 't-100', by: 'P1M' },
  access: 'write',
  destructive: true,
  openWorld: true,
  run: (service, { external_id, ...body }) =>
    service.call('POST /simulation/{external_id}/advance_clock', {
      params: { external_id },
      body,
      timeoutMs: 120_000,
    }),
});

const resetTenant = defineTool({
  name: 'reset_tenant',
  title: 'Reset a tenant',
  description:
    'Cancels everything open of a sandbox tenant and returns it to real time, to rehearse again.',
  input: z.strictObject({ external_id: tenant }),
  example: { external_id: 't-100' },
  access: 'write',
  destructive: true,
  idempotent: true,
  openWorld: true,
  run: (service, params) => service.call('POST /simulation/{external_id}/reset', { params }),
});

const showHistory = defineTool({
  name: 'show_history',
  title: 'Show all that happened to a tenant',
  description:
    'Returns the calls, the webhooks with their data, and the transfers in the ledger of a sandbox tenant. Of a copy that fork_tenant made, also what it is a copy of and how many webhooks are equal. Compare both histories.',
  input: z.strictObject({ external_id: tenant }),
  example: { external_id: 't-100~fork-1' },
  run: (service, params) => service.call('GET /simulation/{external_id}/history', { params }),
});

const forkTenant = defineTool({
  name: 'fork_tenant',
  title: 'Copy a tenant at a webhook, and change a fact',
  description:
    'Repeats the calls about a sandbox tenant under a new external_id, up to a webhook, and then changes one fact: the next payment fails, the clock moves on, the application is declined. Webhooks about the copy go nowhere unless deliver_webhooks is true. Use it to find out what one fact would have changed.',
  input: z.strictObject({ external_id: tenant, ...forkInput.shape }),
  example: { external_id: 't-100', change: { fail_next_payment: 'R01' } },
  access: 'write',
  openWorld: true,
  run: (service, { external_id, ...body }) =>
    service.call('POST /simulation/{external_id}/fork', {
      params: { external_id },
      body,
      timeoutMs: 120_000,
    }),
});

export const sandboxTools = [
  showPartner,
  runDoctor,
  listScenarios,
  playScenario,
  showTenant,
  advanceClock,
  resetTenant,
  showHistory,
  forkTenant,
];
