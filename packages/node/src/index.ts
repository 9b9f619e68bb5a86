export type {
  AllowedOriginsOutput as AllowedOrigins,
  ApiKeyOutput as ApiKey,
  AppearanceInput as UpdateAppearance,
  AppearanceOutput as Appearance,
  CertificationCaseOutput as CertificationCase,
  CertificationOutput as Certification,
  CertificationSummaryOutput as CertificationSummary,
  CreateApiKeyInput as CreateApiKey,
  CreatedApiKeyOutput as CreatedApiKey,
  DebitAccountOutput as DebitAccount,
  DeliveryAttemptOutput as DeliveryAttempt,
  DoctorOutput as DoctorReport,
  ExperienceResult,
  GoLiveOutput as GoLiveChecklist,
  ListedTenantOutput as ListedTenant,
  PartnerOutput as Partner,
  PayoutOutput as Payout,
  PayoutStatement,
  PlanOutput as Plan,
  PortalInfoOutput as PortalInfoAnswer,
  PortalTokenOutput as PortalToken,
  RefundOutput as Refund,
  RequestDetailOutput as LoggedRequestDetail,
  RequestOutput as LoggedRequest,
  RevokedApiKeyOutput as RevokedApiKey,
  RotatedApiKeyOutput as RotatedApiKey,
  ScenarioOutput as ScenarioResult,
  SettlementOutput as Settlement,
  SimulationOutput as Simulation,
  TenantOutput as Tenant,
  TenantView,
  WebhookEvent,
} from '@svc/contract';
export { SvcClient, type SvcClientOptions } from './client.ts';
export type { NodeWebhookRequest } from './handler/read-body.ts';
export {
  type AnyWebhookEvent,
  type NodeWebhookResponse,
  type WebhookEventOf,
  type WebhookHandler,
  type WebhookHandlerOptions,
  type WebhookHandlers,
  type WebhookStore,
  webhookHandler,
} from './handler/webhook-handler.ts';
export type { List, Page } from './http/pages.ts';
export type { CallOptions } from './http/request.ts';
export {
  SvcConnectionError,
  SvcError,
  type SvcErrorCode,
  type SvcErrorDetails,
  SvcTimeoutError,
} from './http/svc-error.ts';
export { signWidget } from './sign-widget.ts';
export type * from './types.ts';
export { verifyExperienceResult } from './verify-experience-result.ts';
export { verifyTenantQuery } from './verify-tenant-query.ts';
export { type VerifyWebhookOptions, verifyWebhook } from './verify-webhook.ts';
export type { HeadersLike } from './webhook-headers.ts';
export {
  WebhookVerificationError,
  type WebhookVerificationReason,
} from './webhook-verification-error.ts';
