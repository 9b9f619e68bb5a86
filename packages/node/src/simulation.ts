import type { ScenarioOutput, SimulationOutput } from '@svc/contract';
import { path } from './http/path.ts';
import type { Call, CallOptions } from './http/request.ts';
import type {
  AdvanceClock,
  FailNextPayment,
  PlayScenario,
  SetFlow,
  SetUnderwritingResult,
} from './types.ts';

/** Sandbox only: controls one tenant's clock and underwriting result. */
export function simulationCalls(call: Call) {
  const at = (externalId: string) => path`/simulation/${externalId}`;
  return {
    /** Fixes the result. With `rent_cycle_date`, also sets the tenant's clock to 12:00 on that day. */
    setUnderwritingResult: (
      externalId: string,
      body: SetUnderwritingResult,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/set_underwriting_result`, body }, options),

    /** @deprecated Use `setUnderwritingResult`. */
    setFlow: (
      externalId: string,
      body: SetFlow,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/set_flow`, body }, options),

    /** Advances the tenant's clock by `by` (such as `P1M`) or to `to`, and runs everything due in order. */
    advanceClock: (
      externalId: string,
      body: AdvanceClock,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/advance_clock`, body }, options),

    /** Makes the tenant's next payment fail with this return or decline code. Default: `R01`. */
    failNextPayment: (
      externalId: string,
      body: FailNextPayment = {},
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/fail_next_payment`, body }, options),

    /**
     * Takes the tenant, new or known, to a point of a plan's life: applies, pays and moves the clock as
     * needed, and returns what it made. Repeating a call changes nothing.
     */
    scenario: (
      externalId: string,
      body: PlayScenario,
      options?: CallOptions,
    ): Promise<ScenarioOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/scenario`, body }, options),

    get: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call({ method: 'GET', path: at(externalId) }, options),

    /** Returns to real time, and cancels open applications and plans. */
    reset: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/reset` }, options),
  };
}
