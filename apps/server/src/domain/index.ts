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
export {
  createPartnerKey,
  describeCreatedKey,
  listPartnerKeys,
  revokePartnerKey,
  rotatePartnerKey,
} from './access/partner-keys.ts';
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
export {
  type AuditEntry,
  installation,
  operatorActions,
  recordAudit,
} from './audit/record.ts';
export { signAuditChains } from './audit/sign-chains.ts';
export { type AuditReport, verifyAudit } from './audit/verify.ts';
export { type Adjusted, adjustItem } from './books/adjust.ts';
export {
  addBankAccount,
  type BankAccount,
  comparedAccounts,
  findBankAccount,
  type ListedAccount,
  listBankAccounts,
  type NewBankAccount,
} from './books/bank-accounts.ts';
export { booksDay, booksToday } from './books/books-day.ts';
export { accountKinds, type ChartLine, chart } from './books/chart.ts';
export {
  type ClosedDay,
  closeDay,
  type DayLine,
  listDays,
  reconcile,
  reopenDay,
} from './books/close-day.ts';
export { exportJournal, type Journal } from './books/export-journal.ts';
export { type Imported, importStatements } from './books/import-statements.ts';
export { type BookException, type Exceptions, listExceptions } from './books/list-exceptions.ts';
export { assignItem } from './books/match-by-hand.ts';
export { type MatchedByHand, matchItems } from './books/match-items.ts';
export type { Matched } from './books/match-rules.ts';
export { type Replaced, replaceStatements } from './books/replace-statement.ts';
export { signBooks } from './books/seal-books.ts';
export type { Statement } from './books/statement.ts';
export { type TrialBalance, trialBalance } from './books/trial-balance.ts';
export { type Unmatched, unmatch } from './books/unmatch.ts';
export { type BooksReport, verifyBooks } from './books/verify-books.ts';
export {
  beginMoney,
  type MoneyState,
  readMoney,
  startMoney,
  stopMoney,
} from './controls/money-switch.ts';
export {
  listPauses,
  type Pause,
  type PauseScope,
  pauseCollections,
  resumeCollections,
} from './controls/pauses.ts';
export { type BookedDispute, bookDispute } from './disputes/book-dispute.ts';
export { type Dispute, listDisputes } from './disputes/list-disputes.ts';
export { type PaymentReturn, returnPayment } from './disputes/return-payment.ts';
export { markGoLive, readGoLive } from './doctor/go-live.ts';
export { type Outward, runDoctor } from './doctor/run-doctor.ts';
export { scheduleTermsCheck, type TenantCursor } from './eligibility/schedule-terms-check.ts';
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
export { listTenants } from './intake/list-tenants.ts';
export { openMailLink } from './intake/open-mail-link.ts';
export { publishCustom, testMessage } from './intake/publish-custom.ts';
export { readState } from './intake/read-state.ts';
export { readTenant } from './intake/read-tenant.ts';
export { recordPortalInfo } from './intake/record-portal-info.ts';
export { widgetSession } from './intake/widget-session.ts';
export {
  checkpointsOfOtherKeys,
  renewCheckpoints,
  saveCheckpoints,
} from './ledger/checkpoint.ts';
export type { AccountKind } from './ledger/post.ts';
export {
  type LedgerReport,
  type VerifyProgress,
  verifyFromCheckpoints,
  verifyLedger,
} from './ledger/verify.ts';
export type { Listed } from './listed.ts';
export { listMails, type MailLine } from './mail/list-mails.ts';
export { listQuotes } from './offers/list-quotes.ts';
export { previewTerms, type TermsPreview } from './offers/preview-terms.ts';
export {
  lockAllowedOrigins,
  readAllowedOrigins,
  setAllowedOrigins,
} from './partners/allowed-origins.ts';
export {
  type FileKind,
  findFile,
  getAppearance,
  lockAppearance,
  readAppearance,
  removeFile,
  setAppearance,
  setFont,
  setLogo,
} from './partners/appearance.ts';
export { type AppliedTerms, applyTerms, type TermsScope } from './partners/apply-terms.ts';
export { findPartnerByPms } from './partners/find-partner.ts';
export {
  listPrograms,
  type ShownTerms,
  type StoredProgram,
  showTerms,
} from './partners/program-terms.ts';
export { checkPixels } from './partners/read-png.ts';
export { listTestPresets, removeTestPreset, saveTestPreset } from './partners/test-presets.ts';
export { listOpenPayments, type OpenPayments } from './payments/list-calls.ts';
export { listPayments, type TenantPayment } from './payments/list-payments.ts';
export {
  adjustmentAccounts,
  adjustPayouts,
  createPayoutNow,
  type ListedPayout,
  listAllPayouts,
  type MovedPayout,
  movePayoutByOperator,
  type NewAdjustment,
  type PayoutAdjustment,
  readAnyStatement,
} from './payouts/by-operator.ts';
export { listPayouts, lockPayout, readPayout } from './payouts/read.ts';
export { returnPayout, updatePayout } from './payouts/report-payout.ts';
export {
  type ListedSetting,
  listPayoutSettings,
  type PayoutSchedule,
  type Scheduled,
  schedulePayouts,
} from './payouts/settings.ts';
export {
  csvOf as payoutCsv,
  readPayoutStatement,
  readPayoutStatementAsCsv,
} from './payouts/statement.ts';
export { type Loss, listLosses } from './plans/list-losses.ts';
export { type Agreement, readAgreement } from './plans/read-agreement.ts';
export { readPlan } from './plans/read-plan.ts';
export { type ErasedTenant, eraseTenant } from './privacy/erase-tenant.ts';
export { exportTenant, type TenantExport } from './privacy/export-tenant.ts';
export { listRefunds } from './refunds/list-refunds.ts';
export { refundSettlement } from './refunds/refund.ts';
export { type PaymentRefund, refundPayment } from './refunds/refund-payment.ts';
export { Refusal } from './refusal.ts';
export {
  type LoggedError,
  type LoggedRequest,
  listRequests,
  readRequest,
  storeRequests,
} from './requests/request-log.ts';
export { playScenario } from './scenarios/play-scenario.ts';
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
