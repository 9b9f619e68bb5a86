import type {
  ForkOutput,
  Recording,
  ScenarioOutput,
  SimulationOutput,
  TenantHistoryOutput,
} from '@svc/contract';
import type { Call, CallOptions } from './http/request.ts';
import type {
  AdvanceClock,
  FailNextPayment,
  ForkTenant,
  PlayScenario,
  ReplayRecording,
  SetFlow,
  SetUnderwritingResult,
} from './types.ts';

function post<Path extends string, Body>(path: Path, externalId: string, body: Body) {
  return { method: 'POST', path, params: { external_id: externalId }, body } as const;
}

/** Sandbox only: controls one tenant's clock and underwriting result. */
export function simulationCalls(call: Call) {
  return {
    /** Fixes the result. With `rent_cycle_date`, also sets the tenant's clock to 12:00 on that day. */
    setUnderwritingResult: (
      externalId: string,
      body: SetUnderwritingResult,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call(post('/simulation/{external_id}/set_underwriting_result', externalId, body), options),

    /** @deprecated Use `setUnderwritingResult`. */
    setFlow: (
      externalId: string,
      body: SetFlow,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call(post('/simulation/{external_id}/set_flow', externalId, body), options),

    /** Advances the tenant's clock by `by` (such as `P1M`) or to `to`, and runs everything due in order. */
    advanceClock: (
      externalId: string,
      body: AdvanceClock,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call(post('/simulation/{external_id}/advance_clock', externalId, body), options),

    /** Makes the tenant's next payment fail with this return or decline code. Default: `R01`. */
    failNextPayment: (
      externalId: string,
      body: FailNextPayment = {},
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call(post('/simulation/{external_id}/fail_next_payment', externalId, body), options),

    /**
     * Takes a new or existing tenant to a point of a plan's life: applies, pays and moves the clock as
     * needed, and returns what it created. Repeating a call changes nothing.
     */
    scenario: (
      externalId: string,
      body: PlayScenario,
      options?: CallOptions,
    ): Promise<ScenarioOutput> =>
      call(post('/simulation/{external_id}/scenario', externalId, body), options),

    get: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call(
        { method: 'GET', path: '/simulation/{external_id}', params: { external_id: externalId } },
        options,
      ),

    /**
     * Copies the tenant as it was right after a webhook, and changes one fact. Webhooks about the copy are not
     * sent unless you set `deliver_webhooks`.
     * @throws SvcError `not_reproducible` with the first difference, if the copy differs from the tenant
     */
    fork: (externalId: string, body: ForkTenant = {}, options?: CallOptions): Promise<ForkOutput> =>
      call(post('/simulation/{external_id}/fork', externalId, body), options),

    /** Returns the calls about the tenant and their webhooks, for `replay` in this or another sandbox. */
    recording: (
      externalId: string,
      query: { at?: string } = {},
      options?: CallOptions,
    ): Promise<Recording> =>
      call(
        {
          method: 'GET',
          path: '/simulation/{external_id}/recording',
          params: { external_id: externalId },
          query,
        },
        options,
      ),

    /**
     * Plays a recording as a new tenant, whose webhooks are sent as usual.
     * @throws SvcError `not_reproducible` with the first difference
     */
    replay: (
      externalId: string,
      body: ReplayRecording,
      options?: CallOptions,
    ): Promise<ForkOutput> =>
      call(post('/simulation/{external_id}/replay', externalId, body), options),

    /** Returns everything that happened to the tenant: calls, webhooks, and transfers in the ledger. */
    history: (externalId: string, options?: CallOptions): Promise<TenantHistoryOutput> =>
      call(
        {
          method: 'GET',
          path: '/simulation/{external_id}/history',
          params: { external_id: externalId },
        },
        options,
      ),

    /** Returns to real time, and cancels open applications and plans. */
    reset: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call(
        {
          method: 'POST',
          path: '/simulation/{external_id}/reset',
          params: { external_id: externalId },
        },
        options,
      ),
  };
}
