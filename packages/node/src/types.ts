import type {
  advanceClockInput,
  auditEntryOutput,
  createEndpointInput,
  createReplayInput,
  deliveryOutput,
  deliveryStates,
  endpointHealthOutput,
  eventTypeOutput,
  failNextPaymentInput,
  portalInfoInput,
  publishCustomInput,
  publishCustomOutput,
  refundInput,
  secretOutput,
  setFlowInput,
  settlementInput,
  settlementReturnInput,
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
export type AdvanceClock = Takes<typeof advanceClockInput>;
export type FailNextPayment = Takes<typeof failNextPaymentInput>;
export type UpdateSettlement = Takes<typeof settlementInput>;
export type ReturnSettlement = Takes<typeof settlementReturnInput>;
export type CreateRefund = Takes<typeof refundInput>;
export type CreateEndpoint = Takes<typeof createEndpointInput>;
export type UpdateEndpoint = Takes<typeof updateEndpointInput>;
export type TestSend = Takes<typeof testSendInput>;
export type CustomEvent = Takes<typeof publishCustomInput>;
export type CreateReplay = Takes<typeof createReplayInput>;

export type Delivery = Gives<typeof deliveryOutput>;
export type SigningSecret = Gives<typeof secretOutput>;
export type PublishedEvent = Gives<typeof publishCustomOutput>;
export type EventTypeDescription = Gives<typeof eventTypeOutput>;
export type EndpointHealth = Gives<typeof endpointHealthOutput>;
export type AuditEntry = Gives<typeof auditEntryOutput>;

export interface SettlementFilter {
  status?: (typeof settlementStatuses)[number];
  external_id?: string;
  processor_transaction_id?: string;
  /** Still open three banking days after `debit_by`. */
  is_stale?: boolean;
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
  /** One or several, separated by commas; `failed` is `retrying` and `exhausted` together. */
  state?: (typeof deliveryStates)[number] | 'failed' | (string & {});
  /** One or several, separated by commas; also groups such as `plan.*`. */
  event_type?: string;
  endpoint_id?: string;
  external_id?: string;
  channel?: string;
  /** RFC 3339, or a date. */
  since?: string;
  until?: string;
  /** Text within the id, the external id, the type or the body. */
  q?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}

export interface AttemptFilter {
  endpoint_id?: string;
  succeeded?: boolean;
  /** `none` for attempts that got no answer. */
  status_class?: 'none' | '1xx' | '2xx' | '3xx' | '4xx' | '5xx';
  /** One or several, separated by commas; also groups such as `plan.*`. */
  event_type?: string;
  channel?: string;
  /** When they started: RFC 3339, or a date. */
  since?: string;
  until?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}

export interface ReplayFilter {
  endpoint_id?: string;
  /** Items a page, 1 to 100. */
  limit?: number;
}

export interface ActivityFilter {
  endpoint_id?: string;
  /** RFC 3339, or a date; 24 hours ago when left out. */
  since?: string;
  until?: string;
}
