export type { Actor, PartnerActor, TenantActor } from './access/actor.ts';
export {
  type ApiKeyLine,
  createKey,
  createPartner,
  listKeys,
  revokeKey,
} from './access/api-keys.ts';
export { findExperienceSession } from './access/experience-sessions.ts';
export { createKnownKeys, type KnownKeys, keyKnownForMs } from './access/known-keys.ts';
export { createPortalLink, openPortalSession } from './access/portal-links.ts';
export {
  closePortalSession,
  describePortalSession,
  findPortalSession,
  listPortalSessions,
  revokePortalSession,
  revokePortalSessions,
} from './access/portal-sessions.ts';
export { listAudit } from './audit/list.ts';
export { type AuditEntry, recordAudit } from './audit/record.ts';
export { type Dispute, listDisputes } from './disputes/list-disputes.ts';
export { listEventTypes } from './events/list-event-types.ts';
export { emitOperational, operational } from './events/operational.ts';
export { confirmIdentity } from './intake/confirm-identity.ts';
export { exchangeToken } from './intake/exchange-token.ts';
export {
  acceptPlan,
  addPaymentMethod,
  cancelPlan,
  payInstallments,
  rescheduleInstallment,
  setAutopay,
  submitApplication,
} from './intake/experience-commands.ts';
export { openMailLink } from './intake/open-mail-link.ts';
export { publishCustom, testMessage } from './intake/publish-custom.ts';
export { readState } from './intake/read-state.ts';
export { readTenant } from './intake/read-tenant.ts';
export { recordPortalInfo } from './intake/record-portal-info.ts';
export { widgetSession } from './intake/widget-session.ts';
export { type LedgerReport, verifyLedger } from './ledger/verify.ts';
export type { Listed } from './listed.ts';
export { listQuotes } from './offers/list-quotes.ts';
export {
  lockAllowedOrigins,
  readAllowedOrigins,
  setAllowedOrigins,
} from './partners/allowed-origins.ts';
export { findPartnerByPms } from './partners/find-partner.ts';
export { listTestPresets, removeTestPreset, saveTestPreset } from './partners/test-presets.ts';
export { type Loss, listLosses } from './plans/list-losses.ts';
export { readPlan } from './plans/read-plan.ts';
export { listRefunds } from './refunds/list-refunds.ts';
export { refundSettlement } from './refunds/refund.ts';
export { Refusal } from './refusal.ts';
export { lockSettlement } from './settlements/lock.ts';
export { listSettlements, readSettlement } from './settlements/read.ts';
export { reopenSettlement } from './settlements/reopen.ts';
export { reportSettlements, reportSettlementsAsCsv } from './settlements/report.ts';
export { returnSettlement } from './settlements/return.ts';
export { updateSettlement } from './settlements/update.ts';
export { advanceClock, failNextPayment } from './simulation/advance-clock.ts';
export { readSimulation } from './simulation/read.ts';
export { resetSimulation } from './simulation/reset.ts';
export {
  setFlow,
  setUnderwritingResult,
  simulateResult,
} from './simulation/set-underwriting-result.ts';
