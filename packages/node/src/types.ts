import type {
  advanceClockInput,
  auditEntryOutput,
  certificationInput,
  createEndpointInput,
  createReplayInput,
  deliveryOutput,
  deliveryStates,
  doctorInput,
  endpointHealthOutput,
  errorClasses,
  eventTypeOutput,
  failNextPaymentInput,
  forkInput,
  manualGoLiveItems,
  pageResultsInput,
  payoutInput,
  payoutReturnInput,
  payoutStatuses,
  portalInfoInput,
  portalTokenInput,
  publicKeysOutput,
  publishCustomInput,
  publishCustomOutput,
  refundInput,
  replayInput,
  scenarioInput,
  secretOutput,
  serviceCaseNames,
  setFlowInput,
  settlementInput,
  settlementReturnInput,
  settlementStatuses,
  setUnderwritingResultInput,
  statusClasses,
  testSendInput,
  updateEndpointInput,
} from '@svc/contract';

/** The input of a schema (defaults are optional) and its output. Only types, so no schema is loaded. */
type Input<S extends { _zod: { input: unknown } }> = S['_zod']['input'];
type Output<S extends { _zod: { output: unknown } }> = S['_zod']['output'];

export type PortalInfo = Input<typeof portalInfoInput>;
export type Charge = PortalInfo['charges'][number];
export type SetUnderwritingResult = Input<typeof setUnderwritingResultInput>;
export type SetFlow = Input<typeof setFlowInput>;
export type AdvanceClock = Input<typeof advanceClockInput>;
export type FailNextPayment = Input<typeof failNextPaymentInput>;
export type ForkTenant = Input<typeof forkInput>;
export type ReplayRecording = Input<typeof replayInput>;
export type PlayScenario = Input<typeof scenarioInput>;
export type UpdateSettlement = Input<typeof settlementInput>;
export type ReturnSettlement = Input<typeof settlementReturnInput>;
export type UpdatePayout = Input<typeof payoutInput>;
export type ReturnPayout = Input<typeof payoutReturnInput>;
export type CreatePortalToken = Input<typeof portalTokenInput>;
export type CreateRefund = Input<typeof refundInput>;
export type CreateEndpoint = Input<typeof createEndpointInput>;
export type UpdateEndpoint = Input<typeof updateEndpointInput>;
export type TestSend = Input<typeof testSendInput>;
export type CustomEvent = Input<typeof publishCustomInput>;
export type StartCertification = Input<typeof certificationInput>;
export type PageResults = Input<typeof pageResultsInput>;
export type RunDoctor = Input<typeof doctorInput>;
export type ServiceCaseName = (typeof serviceCaseNames)[number];
export type ManualGoLiveItem = (typeof manualGoLiveItems)[number];
export type CreateReplay = Input<typeof createReplayInput>;

export type Delivery = Output<typeof deliveryOutput>;
export type PublicKeys = Output<typeof publicKeysOutput>;
export type SigningSecret = Output<typeof secretOutput>;
export type PublishedEvent = Output<typeof publishCustomOutput>;
export type EventTypeDescription = Output<typeof eventTypeOutput>;
export type EndpointHealth = Output<typeof endpointHealthOutput>;
export type AuditEntry = Output<typeof auditEntryOutput>;

export interface SettlementFilter {
  status?: (typeof settlementStatuses)[number];
  external_id?: string;
  processor_transaction_id?: string;
  /** Still open three banking days after `debit_by`. */
  is_stale?: boolean;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface PayoutFilter {
  status?: (typeof payoutStatuses)[number];
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface EventFilter {
  /** The id of an event: only later ones are listed. Default: all. */
  after?: string;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface RequestFilter {
  request_id?: string;
  /** Calls about this tenant. */
  external_id?: string;
  method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A status such as `422`, or a class such as `4xx`. */
  status?: string;
  /** An error code. */
  code?: string;
  /** The beginning of the path, with or without `/v1`. */
  path?: string;
  /** RFC 3339, or a date. */
  from?: string;
  to?: string;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface TenantFilter {
  /** The beginning of the external id. */
  search?: string;
  /** Items per page, 1 to 100. */
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
  /** Text to find in the id, the external id, the type or the body. */
  q?: string;
  /** True lists test sends only, which are left out otherwise. */
  test?: boolean;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface AttemptFilter {
  endpoint_id?: string;
  succeeded?: boolean;
  /** `none` for attempts without a response. */
  status_class?: (typeof statusClasses)[number];
  /** Why they failed; `status` for a response other than 2xx. */
  error_class?: (typeof errorClasses)[number];
  external_id?: string;
  /** One or several, separated by commas; also groups such as `plan.*`. */
  event_type?: string;
  channel?: string;
  /** The time when they started: RFC 3339, or a date. */
  since?: string;
  until?: string;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface DeliveryFilter extends AttemptFilter {
  /** Default: `newest`. `failures_first` lists all failures before the first success. */
  order?: 'newest' | 'failures_first';
}

export interface DeliveryExport extends Omit<DeliveryFilter, 'limit'> {
  cursor?: string;
  /** Rows, 1 to 10,000. Default: 10,000. */
  limit?: number;
}

export interface ReplayFilter {
  endpoint_id?: string;
  /** Items per page, 1 to 100. */
  limit?: number;
}

export interface ActivityFilter {
  endpoint_id?: string;
  /** RFC 3339, or a date. Default: 24 hours ago. */
  since?: string;
  until?: string;
}
