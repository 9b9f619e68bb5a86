import type { PartnerActor, TenantActor } from '../../../src/domain/access/actor.ts';

/** The moments at which a process can be killed. */
export const moments = ['before the call', 'after the call', 'during the webhook'] as const;
export type Moment = (typeof moments)[number];

/** The argument of a process, as JSON. */
export interface Task {
  readonly url: string;
  /** Base64. All processes seal payment details with it. */
  readonly secretKey: string;
  readonly partner: PartnerActor;
}

export type Order =
  /** Opens tenants who only have to choose a plan. */
  | { readonly do: 'open'; readonly now: string; readonly names: readonly string[] }
  /** Makes random calls of tenants and operators, `lanes` at a time. */
  | {
      readonly do: 'play';
      readonly now: string;
      readonly tenants: readonly TenantActor[];
      readonly seed: number;
      readonly calls: number;
      readonly lanes: number;
    }
  /** Runs everything that is due by this time. */
  | { readonly do: 'pass'; readonly now: string }
  /** The process stops for good when it reaches the moment for the nth time. */
  | { readonly do: 'arm'; readonly moment: Moment; readonly nth: number };

export type Reply =
  | { readonly said: 'ready' }
  | { readonly said: 'opened'; readonly tenants: readonly TenantActor[] }
  | { readonly said: 'done'; readonly calls: number; readonly refused: number }
  /** The process has stopped at the armed moment. */
  | { readonly said: 'reached'; readonly moment: Moment }
  | { readonly said: 'failed'; readonly error: string };
