import { type PortalInfoInput, productVariant, underwritingResult } from '@svc/contract';
import { z } from 'zod';
import { storedPersonalSchema } from './personal-data.ts';

export type Lease = NonNullable<PortalInfoInput['lease']>;

/** A tenant as JSON. Most of it is null until the first portal_info. */
export const tenantSchema = z.object({
  id: z.string(),
  partnerId: z.string(),
  externalId: z.string(),
  /** Names and addresses, encrypted: see `openPersonal`. */
  personal: storedPersonalSchema,
  /** When the tenant gets paid, encrypted: see `openPaydays`. */
  paydaysSealed: z.string().nullable(),
  productVariant: productVariant.nullable(),
  /** Not validated here, because the portal's report was. */
  lease: z.custom<Lease>((value) => typeof value === 'object').nullable(),
  timeZone: z.string(),
  returnUrl: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  underwritingResult: underwritingResult.nullable(),
  declineReasons: z.array(z.string()).readonly(),
  simulatedCycleDate: z.string().nullable(),
  clockOffsetMs: z.int().nullable(),
  /** The terms that a copy of a sandbox tenant is offered; null for those that apply. */
  simulatedTermsVersion: z.string().nullable(),
  /** Return codes with which the next payments fail. Set by the simulation. */
  pendingFailures: z.array(z.string()).readonly(),
  eligibilityState: z.string().nullable(),
  eligibilityReason: z.string().nullable(),
  /** When eligibility may next change with time alone; wall time in milliseconds. */
  eligibilityChangesMs: z.int().nullable(),
  version: z.int(),
});

export type Tenant = Readonly<z.infer<typeof tenantSchema>>;
