import type { PortalInfoInput, ProductVariant, UnderwritingResult } from '@svc/contract';

export type Lease = NonNullable<PortalInfoInput['lease']>;

/** What we know of one tenant; names and the like are null until the first portal_info. */
export interface Tenant {
  readonly id: string;
  readonly partnerId: string;
  readonly externalId: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
  readonly productVariant: ProductVariant | null;
  readonly lease: Lease | null;
  readonly timeZone: string;
  readonly returnUrl: string | null;
  readonly metadata: Record<string, string>;
  readonly underwritingResult: UnderwritingResult | null;
  readonly declineReasons: readonly string[];
  readonly simulatedCycleDate: string | null;
  readonly clockOffsetMs: number | null;
  /** Set by the simulation: codes with which the next payments fail. */
  readonly pendingFailures: readonly string[];
  readonly eligibilityState: string | null;
  readonly eligibilityReason: string | null;
  /** When eligibility may next change with time alone; wall time in milliseconds. */
  readonly eligibilityChangesMs: number | null;
  readonly version: number;
}
