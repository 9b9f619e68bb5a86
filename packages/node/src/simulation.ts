import type { SimulationOutput } from '@svc/contract';
import { path } from './http/path.ts';
import type { Call, CallOptions } from './http/request.ts';
import type { AdvanceClock, FailNextPayment, SetFlow, SetUnderwritingResult } from './types.ts';

/** Sandbox only: the tenant's clock and underwriting result. Other tenants do not move. */
export function simulationCalls(call: Call) {
  const at = (externalId: string) => path`/simulation/${externalId}`;
  return {
    /** Fixes the result; with `rent_cycle_date` also the tenant's clock, at 12:00 on that day. */
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

    /** Forward by `by` (such as `P1M`) or to an instant: all that falls due runs, in its order. */
    advanceClock: (
      externalId: string,
      body: AdvanceClock,
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/advance_clock`, body }, options),

    /** The tenant's next payment fails, with this return or decline code (`R01` when left out). */
    failNextPayment: (
      externalId: string,
      body: FailNextPayment = {},
      options?: CallOptions,
    ): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/fail_next_payment`, body }, options),

    get: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call({ method: 'GET', path: at(externalId) }, options),

    /** Back to real time; open applications and plans are canceled. */
    reset: (externalId: string, options?: CallOptions): Promise<SimulationOutput> =>
      call({ method: 'POST', path: `${at(externalId)}/reset` }, options),
  };
}
