import { type Scenario, type ScenarioOutput, scenarios } from '@svc/contract';
import { ada, type Running } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import type { Partner } from './journeys/with-plan.ts';

/** The scenario that a tenant is in, and whether it got there in real time. */
export interface State {
  readonly scenario: Scenario;
  readonly inRealTime: boolean;
}

/**
 * Each scenario on either clock, because a plan that began in real time once failed where a simulated one did
 * not. The first half has each scenario once, and alternates between the clocks.
 */
export const everyState: readonly State[] = [0, 1].flatMap((half) =>
  scenarios.map((scenario, index) => ({ scenario, inRealTime: (index + half) % 2 === 0 })),
);

export function nameOf({ scenario, inRealTime }: State): string {
  return `${scenario}-${inRealTime ? 'real' : 'simulated'}`;
}

interface Quote {
  readonly id: string;
  readonly disclosure: { readonly sha256: string } | null;
}

/** Takes a new tenant to a scenario. In real time, the rent is due so soon that no clock has to be moved first. */
export async function prepareTenant(
  svc: Running,
  partner: Partner,
  externalId: string,
  { scenario, inRealTime }: State,
) {
  const { pms, key } = partner;
  const soon = new Date(svc.clock.now().getTime() + 2 * 86_400_000).toISOString().slice(0, 10);
  const dueDate = inRealTime ? soon : '2026-02-01';
  const report = { ...ada, charges: [{ ...ada.charges[0], due_date: dueDate }] };
  const post = async (path: string, body: object) => {
    const { status, data, error } = await svc.call('POST', path, { key, body });
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(error)}`);
    return data;
  };
  if (!inRealTime) {
    await post(`/simulation/${externalId}/set_underwriting_result`, {
      underwriting_result: 'WILL_BE_APPROVED',
      rent_cycle_date: dueDate,
    });
  }
  const { token } = await post(`/tenant/portal_info/${externalId}`, report);
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' } as const;
  const { exchanged, quotes } = await playTenant(svc, token, who);
  const played: ScenarioOutput = await post(`/simulation/${externalId}/scenario`, { scenario });
  const { data: offers } = await quotes();
  return {
    externalId,
    dueDate,
    /** The body of the last `portal_info`. */
    report,
    session: exchanged.data.session as string,
    played,
    /** Empty if nothing can be split. */
    quotes: (offers?.items ?? []) as readonly Quote[],
  };
}
