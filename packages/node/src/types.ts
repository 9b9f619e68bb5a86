import type {
  createEndpointInput,
  deliveryOutput,
  deliveryStates,
  eventTypeOutput,
  portalInfoInput,
  publishCustomInput,
  publishCustomOutput,
  secretOutput,
  setFlowInput,
  settlementStatuses,
  setUnderwritingResultInput,
  testSendInput,
  updateEndpointInput,
} from '@svc/contract';

/** What a schema takes (defaults optional) and gives: types only, so no schema is loaded. */
type Takes<S extends { _zod: { input: unknown } }> = S['_zod']['input'];
type Gives<S extends { _zod: { output: unknown } }> = S['_zod']['output'];

export type PortalInfo = Takes<typeof portalInfoInput>;
export type Charge = PortalInfo['charges'][number];
export type SetUnderwritingResult = Takes<typeof setUnderwritingResultInput>;
export type SetFlow = Takes<typeof setFlowInput>;
export type CreateEndpoint = Takes<typeof createEndpointInput>;
export type UpdateEndpoint = Takes<typeof updateEndpointInput>;
export type TestSend = Takes<typeof testSendInput>;
export type CustomEvent = Takes<typeof publishCustomInput>;

export type Delivery = Gives<typeof deliveryOutput>;
export type SigningSecret = Gives<typeof secretOutput>;
export type PublishedEvent = Gives<typeof publishCustomOutput>;
export type EventTypeDescription = Gives<typeof eventTypeOutput>;

export interface SettlementFilter {
  status?: (typeof settlementStatuses)[number];
  external_id?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}

export interface EventFilter {
  /** An event's id; absent, from the first on. */
  after?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}

export interface MessageFilter {
  /** `failed` is `retrying` and `exhausted` together. */
  state?: (typeof deliveryStates)[number] | 'failed';
  event_type?: string;
  endpoint_id?: string;
  external_id?: string;
  /** RFC 3339, or a date. */
  since?: string;
  until?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}
