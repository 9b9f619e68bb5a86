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
export { listEventTypes } from './events/list-event-types.ts';
export { operational, publishOperational } from './events/operational.ts';
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
export {
  lockAllowedOrigins,
  readAllowedOrigins,
  setAllowedOrigins,
} from './partners/allowed-origins.ts';
export { findPartnerByPms } from './partners/find-partner.ts';
export { listTestPresets, removeTestPreset, saveTestPreset } from './partners/test-presets.ts';
export { type Dispute, listDisputes } from './plans/dispute/list-disputes.ts';
export { listQuotes } from './plans/list-quotes.ts';
export { readPlan } from './plans/read-plan.ts';
export { type Loss, listLosses } from './plans/refund/list-losses.ts';
export { listRefunds } from './plans/refund/list-refunds.ts';
export { refundSettlement } from './plans/refund/refund.ts';
export { reopenSettlement } from './plans/settlement/reopen.ts';
export { Refusal } from './refusal.ts';
export { lockSettlement } from './settlements/lock.ts';
export { listSettlements, readSettlement } from './settlements/read.ts';
export { reportSettlements, reportSettlementsAsCsv } from './settlements/report.ts';
export { returnSettlement } from './settlements/return.ts';
export { updateSettlement } from './settlements/update.ts';
export { advanceClock, failNextPayment } from './simulation/advance-clock.ts';
export { readSimulation } from './simulation/read.ts';
export { resetSimulation } from './simulation/reset.ts';
export { setFlow, setUnderwritingResult } from './simulation/set-underwriting-result.ts';
