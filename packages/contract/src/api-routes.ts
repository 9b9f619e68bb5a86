import type { z } from 'zod';
import type {
  apiKeysOutput,
  createApiKeyInput,
  createdApiKeyOutput,
  revokedApiKeyOutput,
  rotateApiKeyInput,
  rotatedApiKeyOutput,
} from './api/api-keys.ts';
import type { appearanceInput, appearanceOutput, fileInput } from './api/appearance.ts';
import type { auditLogOutput, auditLogQuery } from './api/audit-log.ts';
import type {
  certificationCase,
  certificationInput,
  certificationKeysOutput,
  certificationOutput,
  certificationSummary,
  certificationsQuery,
  pageResultsInput,
} from './api/certifications.ts';
import type { debitAccountOutput } from './api/debit-account.ts';
import type {
  deliveriesExportQuery,
  deliveriesQuery,
  deliveryAttemptOutput,
} from './api/deliveries.ts';
import type { doctorInput, doctorOutput, goLiveMarkInput, goLiveOutput } from './api/doctor.ts';
import type {
  createEndpointInput,
  endpointOutput,
  filterPreviewInput,
  filterPreviewOutput,
  publicKeysOutput,
  rotateSecretInput,
  secretOutput,
  updateEndpointInput,
} from './api/endpoints.ts';
import type {
  acceptInput,
  acceptOutput,
  applicationInput,
  confirmInput,
  confirmOutput,
  documentInput,
  documentOutput,
  electronicRecordsInput,
  electronicRecordsOutput,
  exchangeInput,
  exchangeOutput,
  leaveInput,
  leaveOutput,
  linkCodeInput,
  linkCodeOutput,
  linkConfirmInput,
  linkConfirmOutput,
  mailLinkInput,
  paydaysInput,
  paymentCheckOutput,
  paymentMethodInput,
  paymentSetupInput,
  paymentSetupOutput,
  planChangeOutput,
  quotesOutput,
  stateOutput,
  textChangeOutput,
  textCodeInput,
  textConfirmInput,
  textsOutput,
  visitInput,
  visitOutput,
} from './api/experience.ts';
import type {
  forkInput,
  forkOutput,
  recording,
  recordingQuery,
  replayInput,
  tenantHistoryOutput,
  tenantViewOutput,
} from './api/forks.ts';
import type { experienceResult, experienceResultInput, revokedUrlsOutput } from './api/hosted.ts';
import type {
  allowedOriginsInput,
  allowedOriginsOutput,
  partnerOutput,
  portalTokenInput,
  portalTokenOutput,
  revokedOutput,
  webhookPortalUrlOutput,
  webhookPortalUrlQuery,
} from './api/partner.ts';
import type {
  payoutInput,
  payoutOutput,
  payoutReturnInput,
  payoutStatement,
  payoutsQuery,
} from './api/payouts.ts';
import type {
  autopayInput,
  ownPlanOutput,
  payInput,
  rescheduleInput,
} from './api/plan-management.ts';
import type { eventsQuery, planOutput, tenantOutput } from './api/plans.ts';
import type {
  openedKeyOutput,
  openKeyInput,
  openSessionsOutput,
  portalSessionInput,
  portalSessionOutput,
  testPresetInput,
  testPresetOutput,
  testPresetsOutput,
} from './api/portal.ts';
import type {
  portalInfoBodyInput,
  portalInfoInput,
  portalInfoOutput,
  portalInfoQuery,
} from './api/portal-info.ts';
import type { createReplayInput, replayOutput, replaysQuery } from './api/replays.ts';
import type { requestDetailOutput, requestsOutput, requestsQuery } from './api/requests.ts';
import type {
  refundInput,
  refundOutput,
  settlementInput,
  settlementOutput,
  settlementReport,
  settlementReportQuery,
  settlementReturnInput,
  settlementsQuery,
} from './api/settlements.ts';
import type {
  advanceClockInput,
  failNextPaymentInput,
  scenarioInput,
  scenarioOutput,
  setFlowInput,
  setUnderwritingResultInput,
  simulationOutput,
} from './api/simulation.ts';
import type { tenantsOutput, tenantsQuery } from './api/tenants.ts';
import type {
  activityOutput,
  activityQuery,
  attemptOutput,
  attemptsQuery,
  deliveryOutput,
  egressIpsOutput,
  endpointHealthOutput,
  eventTypesOutput,
  expungeMessageInput,
  messageDetailOutput,
  messageOutput,
  messagesQuery,
  publishCustomInput,
  publishCustomOutput,
  replayMessageInput,
  testSendInput,
  testSendOutput,
} from './api/webhooks.ts';
import type { webhookEnvelope } from './events.ts';
import type { listOf, searchedListOf, shortListQuery } from './primitives.ts';
import type { widgetSessionAnswer, widgetSessionInput } from './widget-session.ts';

/**
 * The schemas of each call of the API, by its method and its path below `/v1`. Clients infer the types of a
 * call from here, and the service's `route()` checks each route against it. Only types, so that a client
 * that imports it bundles no schema.
 */
export interface ApiRoutes {
  GET: {
    '/tenants/{external_id}': { output: typeof tenantOutput };
    '/plans/{id}': { output: typeof planOutput };
    '/events': { query: typeof eventsQuery; output: ListOf<typeof webhookEnvelope> };
    '/partner': { output: typeof partnerOutput };
    '/partner/debit_account': { output: typeof debitAccountOutput };
    '/partner/webhook_portal_url': {
      query: typeof webhookPortalUrlQuery;
      output: typeof webhookPortalUrlOutput;
    };
    '/partner/allowed_origins': { output: typeof allowedOriginsOutput };
    '/partner/appearance': { output: typeof appearanceOutput };
    '/partner/requests': { query: typeof requestsQuery; output: typeof requestsOutput };
    '/partner/requests/{id}': { output: typeof requestDetailOutput };
    '/partner/api_keys': { query: typeof shortListQuery; output: typeof apiKeysOutput };
    '/partner/tenants': { query: typeof tenantsQuery; output: typeof tenantsOutput };
    '/partner/go_live': { output: typeof goLiveOutput };
    '/settlements': { query: typeof settlementsQuery; output: ListOf<typeof settlementOutput> };
    '/settlements/report': { query: typeof settlementReportQuery; output: typeof settlementReport };
    '/settlements/report.csv': { query: typeof settlementReportQuery; output: z.ZodString };
    '/settlements/{id}': { output: typeof settlementOutput };
    '/settlements/{id}/refunds': { output: ListOf<typeof refundOutput> };
    '/payouts': { query: typeof payoutsQuery; output: ListOf<typeof payoutOutput> };
    '/payouts/{id}': { output: typeof payoutOutput };
    '/payouts/{id}/statement': { output: typeof payoutStatement };
    '/payouts/{id}/statement.csv': { output: z.ZodString };
    '/simulation/{external_id}': { output: typeof simulationOutput };
    '/simulation/{external_id}/history': { output: typeof tenantHistoryOutput };
    '/simulation/{external_id}/recording': {
      query: typeof recordingQuery;
      output: typeof recording;
    };
    '/certifications': {
      query: typeof certificationsQuery;
      output: ListOf<typeof certificationSummary>;
    };
    '/certifications/{id}': { output: typeof certificationOutput };
    '/certifications/public_key': { output: typeof certificationKeysOutput };
    '/webhooks/endpoints': { query: typeof shortListQuery; output: ListOf<typeof endpointOutput> };
    '/webhooks/endpoints/health': {
      query: typeof shortListQuery;
      output: ListOf<typeof endpointHealthOutput>;
    };
    '/webhooks/endpoints/{id}': { output: typeof endpointOutput };
    '/webhooks/public_keys/{partner}/{endpoint}': { output: typeof publicKeysOutput };
    '/webhooks/endpoints/{id}/secret': { output: typeof secretOutput };
    '/webhooks/event_types': { query: typeof shortListQuery; output: typeof eventTypesOutput };
    '/webhooks/messages': {
      query: typeof messagesQuery;
      output: SearchedListOf<typeof messageOutput>;
    };
    '/webhooks/messages/{id}': { output: typeof messageDetailOutput };
    '/webhooks/messages/{id}/attempts': {
      query: typeof shortListQuery;
      output: ListOf<typeof attemptOutput>;
    };
    '/webhooks/attempts': {
      query: typeof attemptsQuery;
      output: SearchedListOf<typeof attemptOutput>;
    };
    '/webhooks/egress_ips': { output: typeof egressIpsOutput };
    '/webhooks/deliveries': {
      query: typeof deliveriesQuery;
      output: SearchedListOf<typeof deliveryAttemptOutput>;
    };
    '/webhooks/deliveries/export.csv': { query: typeof deliveriesExportQuery; output: z.ZodString };
    '/webhooks/deliveries/export.json': {
      query: typeof deliveriesExportQuery;
      output: ListOf<typeof deliveryAttemptOutput>;
    };
    '/webhooks/replays': { query: typeof replaysQuery; output: ListOf<typeof replayOutput> };
    '/webhooks/replays/{id}': { output: typeof replayOutput };
    '/webhooks/activity': { query: typeof activityQuery; output: typeof activityOutput };
    '/experience/state': { output: typeof stateOutput };
    '/experience/quotes': { output: typeof quotesOutput };
    '/experience/electronic_records': { output: typeof electronicRecordsOutput };
    '/experience/texts': { output: typeof textsOutput };
    '/experience/plan/{id}': { output: typeof ownPlanOutput };
    '/portal/session': { output: z.ZodNullable<typeof portalSessionOutput> };
    '/portal/sessions': { output: typeof openSessionsOutput };
    '/portal/test_presets': { output: typeof testPresetsOutput };
    '/webhooks/audit_log': { query: typeof auditLogQuery; output: typeof auditLogOutput };
  };
  POST: {
    '/tenant/portal_info/{external_id}': {
      query: typeof portalInfoQuery;
      body: typeof portalInfoInput;
      output: typeof portalInfoOutput;
    };
    '/portal_info': {
      query: typeof portalInfoQuery;
      body: typeof portalInfoBodyInput;
      output: typeof portalInfoOutput;
    };
    '/partner/api_keys': { body: typeof createApiKeyInput; output: typeof createdApiKeyOutput };
    '/partner/api_keys/{id}/rotate': {
      body: typeof rotateApiKeyInput;
      output: typeof rotatedApiKeyOutput;
    };
    '/partner/doctor': { body: typeof doctorInput; output: typeof doctorOutput };
    '/settlements/{id}/return': {
      body: typeof settlementReturnInput;
      output: typeof settlementOutput;
    };
    '/settlements/{id}/refunds': { body: typeof refundInput; output: typeof refundOutput };
    '/payouts/{id}/return': { body: typeof payoutReturnInput; output: typeof payoutOutput };
    '/simulation/{external_id}/set_underwriting_result': {
      body: typeof setUnderwritingResultInput;
      output: typeof simulationOutput;
    };
    '/simulation/{external_id}/set_flow': {
      body: typeof setFlowInput;
      output: typeof simulationOutput;
    };
    '/simulation/{external_id}/advance_clock': {
      body: typeof advanceClockInput;
      output: typeof simulationOutput;
    };
    '/simulation/{external_id}/fail_next_payment': {
      body: typeof failNextPaymentInput;
      output: typeof simulationOutput;
    };
    '/simulation/{external_id}/scenario': {
      body: typeof scenarioInput;
      output: typeof scenarioOutput;
    };
    '/simulation/{external_id}/reset': { output: typeof simulationOutput };
    '/simulation/{external_id}/fork': { body: typeof forkInput; output: typeof forkOutput };
    '/simulation/{external_id}/view': { output: typeof tenantViewOutput };
    '/simulation/{external_id}/replay': { body: typeof replayInput; output: typeof forkOutput };
    '/certifications': { body: typeof certificationInput; output: typeof certificationOutput };
    '/certifications/{id}/cases/{name}': { output: typeof certificationCase };
    '/certifications/{id}/finish': { output: typeof certificationOutput };
    '/webhooks/endpoints': { body: typeof createEndpointInput; output: typeof endpointOutput };
    '/webhooks/filter_preview': {
      body: typeof filterPreviewInput;
      output: typeof filterPreviewOutput;
    };
    '/webhooks/endpoints/{id}/secret/rotate': {
      body: typeof rotateSecretInput;
      output: typeof secretOutput;
    };
    '/webhooks/endpoints/{id}/public_key/rotate': {
      body: typeof rotateSecretInput;
      output: typeof publicKeysOutput;
    };
    '/webhooks/endpoints/{id}/test': { body: typeof testSendInput; output: typeof testSendOutput };
    '/webhooks/messages': { body: typeof publishCustomInput; output: typeof publishCustomOutput };
    '/webhooks/messages/{id}/replay': {
      body: typeof replayMessageInput;
      output: typeof deliveryOutput;
    };
    '/webhooks/messages/{id}/expunge': {
      body: typeof expungeMessageInput;
      output: typeof messageDetailOutput;
    };
    '/webhooks/replays': { body: typeof createReplayInput; output: typeof replayOutput };
    '/webhooks/replays/{id}/pause': { output: typeof replayOutput };
    '/webhooks/replays/{id}/resume': { output: typeof replayOutput };
    '/webhooks/replays/{id}/cancel': { output: typeof replayOutput };
    '/widget/session': { body: typeof widgetSessionInput; output: typeof widgetSessionAnswer };
    '/experience/session': { body: typeof exchangeInput; output: typeof exchangeOutput };
    '/experience/link': { body: typeof mailLinkInput; output: typeof exchangeOutput };
    '/experience/link/code': { body: typeof linkCodeInput; output: typeof linkCodeOutput };
    '/experience/link/confirm': {
      body: typeof linkConfirmInput;
      output: typeof linkConfirmOutput;
    };
    '/experience/leave': { body: typeof leaveInput; output: typeof leaveOutput };
    '/experience/visit': { body: typeof visitInput; output: typeof visitOutput };
    '/experience_results': {
      body: typeof experienceResultInput;
      output: typeof experienceResult;
    };
    '/experience/confirm': { body: typeof confirmInput; output: typeof confirmOutput };
    '/experience/application': { body: typeof applicationInput; output: typeof stateOutput };
    '/experience/payment_method': { body: typeof paymentMethodInput; output: typeof stateOutput };
    '/experience/payment_setup': {
      body: typeof paymentSetupInput;
      output: typeof paymentSetupOutput;
    };
    '/experience/payment_setup/{id}/check': { output: typeof paymentSetupOutput };
    '/experience/payment/{id}/check': { output: typeof paymentCheckOutput };
    '/experience/paydays': { body: typeof paydaysInput; output: typeof quotesOutput };
    '/experience/plan': { body: typeof acceptInput; output: typeof acceptOutput };
    '/experience/document/{kind}/{id}': {
      body: typeof documentInput;
      output: typeof documentOutput;
    };
    '/experience/plan/{id}/pay': { body: typeof payInput; output: typeof planChangeOutput };
    '/experience/plan/{id}/reschedule': {
      body: typeof rescheduleInput;
      output: typeof planChangeOutput;
    };
    '/experience/plan/{id}/cancel': { output: typeof planChangeOutput };
    '/experience/electronic_records': {
      body: typeof electronicRecordsInput;
      output: typeof electronicRecordsOutput;
    };
    '/experience/texts/code': { body: typeof textCodeInput; output: typeof textChangeOutput };
    '/experience/texts/confirm': {
      body: typeof textConfirmInput;
      output: typeof textChangeOutput;
    };
    '/experience/texts/stop': { output: typeof textChangeOutput };
    '/experience/plan/{id}/autopay': { body: typeof autopayInput; output: typeof planChangeOutput };
    '/portal_tokens': { body: typeof portalTokenInput; output: typeof portalTokenOutput };
    '/portal/key': { body: typeof openKeyInput; output: typeof openedKeyOutput };
    '/portal/session': { body: typeof portalSessionInput; output: typeof portalSessionOutput };
    '/portal/test_presets': { body: typeof testPresetInput; output: typeof testPresetOutput };
  };
  PUT: {
    '/partner/allowed_origins': {
      body: typeof allowedOriginsInput;
      output: typeof allowedOriginsOutput;
    };
    '/partner/appearance': { body: typeof appearanceInput; output: typeof appearanceOutput };
    '/partner/appearance/logo': { file: typeof fileInput; output: typeof appearanceOutput };
    '/partner/appearance/font': { file: typeof fileInput; output: typeof appearanceOutput };
    '/certifications/{id}/page_results': {
      body: typeof pageResultsInput;
      output: typeof certificationOutput;
    };
    '/partner/go_live/{item}': { body: typeof goLiveMarkInput; output: typeof goLiveOutput };
  };
  PATCH: {
    '/settlements/{id}': { body: typeof settlementInput; output: typeof settlementOutput };
    '/payouts/{id}': { body: typeof payoutInput; output: typeof payoutOutput };
    '/webhooks/endpoints/{id}': { body: typeof updateEndpointInput; output: typeof endpointOutput };
  };
  DELETE: {
    '/tenants/{external_id}/experience_urls': { output: typeof revokedUrlsOutput };
    '/partner/webhook_portal_sessions': { output: typeof revokedOutput };
    '/partner/appearance/logo': { output: typeof appearanceOutput };
    '/partner/appearance/font': { output: typeof appearanceOutput };
    '/partner/api_keys/{id}': { output: typeof revokedApiKeyOutput };
    '/webhooks/endpoints/{id}': { output: z.ZodNull };
    '/portal/session': { output: z.ZodNull };
    '/portal/sessions': { output: typeof revokedOutput };
    '/portal/sessions/{id}': { output: z.ZodNull };
    '/portal/test_presets/{id}': { output: z.ZodNull };
  };
}

type ListOf<Item extends z.ZodType> = ReturnType<typeof listOf<Item>>;
type SearchedListOf<Item extends z.ZodType> = ReturnType<typeof searchedListOf<Item>>;

export type ApiMethod = keyof ApiRoutes;
export type ApiPath<Method extends ApiMethod> = keyof ApiRoutes[Method] & string;

/** The `data` of a call's response. */
export type ApiOutput<Method extends ApiMethod, Path extends ApiPath<Method>> = RouteOutput<
  ApiRoutes[Method][Path]
>;

/** The input of a call: the path parameters, the optional `query` and the `body` that its route declares. */
export type ApiInput<Method extends ApiMethod, Path extends ApiPath<Method>> = RouteInput<
  ApiRoutes[Method][Path],
  Path
>;

/** The `data` of a response, from the schemas that a route declares. */
export type RouteOutput<Route> = Route extends { output: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : never;

/** The input of a call, from the schemas and the path that a route declares. */
export type RouteInput<Route, Path extends string> = ApiParams<Path> &
  QueryInput<Route> &
  BodyInput<Route>;

/** The parameters in a path. Clients encode their values. */
export type ApiParams<Path extends string> = [ParamName<Path>] extends [never]
  ? object
  : { params: { readonly [Name in ParamName<Path>]: string } };

type ParamName<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | ParamName<Rest>
  : never;

type QueryInput<Route> = Route extends { query: infer Schema extends z.ZodType }
  ? { query?: { readonly [Name in keyof z.input<Schema>]?: QueryValue<z.input<Schema>[Name]> } }
  : object;

/** Clients leave out parameters that are undefined or null, and write booleans as text. */
type QueryValue<Value> = Value | ('true' extends Value ? boolean : never) | null | undefined;

type BodyInput<Route> = Route extends { body: infer Schema extends z.ZodType }
  ? { body: z.input<Schema> }
  : object;
