import { processors } from '../../processors/index.ts';
import type { Command, InputOf } from '../command.ts';
import { approvalApprove } from './approval-approve.ts';
import { approvalList } from './approval-list.ts';
import { approvalRefuse } from './approval-refuse.ts';
import { auditList } from './audit-list.ts';
import { auditVerify } from './audit-verify.ts';
import { backupRecord } from './backup-record.ts';
import { bankAdd } from './bank-add.ts';
import { bankList } from './bank-list.ts';
import { booksAccounts } from './books-accounts.ts';
import { booksAdjust } from './books-adjust.ts';
import { booksAssign } from './books-assign.ts';
import { booksClose } from './books-close.ts';
import { booksDays } from './books-days.ts';
import { booksExceptions } from './books-exceptions.ts';
import { booksExport } from './books-export.ts';
import { booksMatch } from './books-match.ts';
import { booksReconcile } from './books-reconcile.ts';
import { booksReopen } from './books-reopen.ts';
import { booksTrialBalance } from './books-trial-balance.ts';
import { booksUnmatch } from './books-unmatch.ts';
import { booksVerify } from './books-verify.ts';
import { booksWriteOff } from './books-write-off.ts';
import { check } from './check.ts';
import { collectionsList } from './collections-list.ts';
import { collectionsPause } from './collections-pause.ts';
import { collectionsResume } from './collections-resume.ts';
import { config } from './config.ts';
import { dbDistributeApply } from './db-distribute-apply.ts';
import { dbDistributePlan } from './db-distribute-plan.ts';
import { dbDistributeStatus } from './db-distribute-status.ts';
import { dbRebalanceApply } from './db-rebalance-apply.ts';
import { dbRebalancePlan } from './db-rebalance-plan.ts';
import { dbRebalanceStatus } from './db-rebalance-status.ts';
import { dbSessions } from './db-sessions.ts';
import { debitReturns } from './debit-returns.ts';
import { demoFill } from './demo-fill.ts';
import { disputeBook } from './dispute-book.ts';
import { disputeList } from './dispute-list.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { ledgerVerify } from './ledger-verify.ts';
import { lendingConfirm } from './lending-confirm.ts';
import { lendingList } from './lending-list.ts';
import { lendingSet } from './lending-set.ts';
import { lossList } from './loss-list.ts';
import { mailList } from './mail-list.ts';
import { mailPrint } from './mail-print.ts';
import { mailResend } from './mail-resend.ts';
import { mailSent } from './mail-sent.ts';
import { mailTest } from './mail-test.ts';
import { migrateAdopt } from './migrate-adopt.ts';
import { migrateApply } from './migrate-apply.ts';
import { migrateGrant } from './migrate-grant.ts';
import { migratePartitions } from './migrate-partitions.ts';
import { migratePlan } from './migrate-plan.ts';
import { migrateStatus } from './migrate-status.ts';
import { moneyStart } from './money-start.ts';
import { moneyStatus } from './money-status.ts';
import { moneyStop } from './money-stop.ts';
import { operatorEmail } from './operator-email.ts';
import { operatorEnd } from './operator-end.ts';
import { operatorInvite } from './operator-invite.ts';
import { operatorLink } from './operator-link.ts';
import { operatorList } from './operator-list.ts';
import { operatorRole } from './operator-role.ts';
import { outboxDrop } from './outbox-drop.ts';
import { outboxList } from './outbox-list.ts';
import { outboxRetry } from './outbox-retry.ts';
import { partnerCreate } from './partner-create.ts';
import { partnerList } from './partner-list.ts';
import { paymentFailures } from './payment-failures.ts';
import { paymentList } from './payment-list.ts';
import { paymentRefund } from './payment-refund.ts';
import { paymentReturn } from './payment-return.ts';
import { payoutAdjust } from './payout-adjust.ts';
import { payoutConfirm } from './payout-confirm.ts';
import { payoutCreate } from './payout-create.ts';
import { payoutFail } from './payout-fail.ts';
import { payoutList } from './payout-list.ts';
import { payoutReturn } from './payout-return.ts';
import { payoutSchedule } from './payout-schedule.ts';
import { payoutSend } from './payout-send.ts';
import { payoutSettings } from './payout-settings.ts';
import { payoutStatement } from './payout-statement.ts';
import { planAgreement } from './plan-agreement.ts';
import { planCancel } from './plan-cancel.ts';
import { planMove } from './plan-move.ts';
import { planShow } from './plan-show.ts';
import { planWaiveFee } from './plan-waive-fee.ts';
import { reportDelinquency, reportFees, reportLosses, reportPortfolio } from './reports.ts';
import { reviewDecide } from './review-decide.ts';
import { reviewList } from './review-list.ts';
import { reviewRelease } from './review-release.ts';
import { reviewTake } from './review-take.ts';
import { riskList } from './risk-list.ts';
import { secretRotate } from './secret-rotate.ts';
import { settlementList } from './settlement-list.ts';
import { settlementReopen } from './settlement-reopen.ts';
import { statementImport } from './statement-import.ts';
import { statementReplace } from './statement-replace.ts';
import { statementSimulate } from './statement-simulate.ts';
import { tenantErase } from './tenant-erase.ts';
import { tenantExport } from './tenant-export.ts';
import { tenantFind } from './tenant-find.ts';
import { tenantIndex } from './tenant-index.ts';
import { tenantPaper } from './tenant-paper.ts';
import { tenantSeal } from './tenant-seal.ts';
import { tenantShow } from './tenant-show.ts';
import { termsApply } from './terms-apply.ts';
import { termsList } from './terms-list.ts';
import { termsPreview } from './terms-preview.ts';
import { termsShow } from './terms-show.ts';
import { textList } from './text-list.ts';

/** Every command of the operator, in the order of the help. */
export const commands = [
  partnerList,
  partnerCreate,
  keyList,
  keyCreate,
  keyRevoke,
  operatorInvite,
  operatorList,
  operatorRole,
  operatorLink,
  operatorEmail,
  operatorEnd,
  settlementList,
  settlementReopen,
  approvalList,
  approvalApprove,
  approvalRefuse,
  moneyStop,
  moneyStart,
  moneyStatus,
  collectionsPause,
  collectionsResume,
  collectionsList,
  paymentList,
  paymentRefund,
  paymentReturn,
  paymentFailures,
  debitReturns,
  riskList,
  disputeList,
  disputeBook,
  lossList,
  reportDelinquency,
  reportLosses,
  reportFees,
  reportPortfolio,
  planShow,
  planAgreement,
  planMove,
  planCancel,
  planWaiveFee,
  tenantFind,
  tenantExport,
  tenantErase,
  tenantPaper,
  tenantSeal,
  tenantIndex,
  tenantShow,
  termsList,
  termsShow,
  termsPreview,
  termsApply,
  lendingList,
  lendingSet,
  lendingConfirm,
  reviewList,
  reviewTake,
  reviewDecide,
  reviewRelease,
  outboxList,
  outboxRetry,
  outboxDrop,
  mailList,
  mailPrint,
  mailSent,
  mailResend,
  mailTest,
  textList,
  payoutSchedule,
  payoutSettings,
  payoutList,
  payoutStatement,
  payoutCreate,
  payoutAdjust,
  payoutSend,
  payoutConfirm,
  payoutFail,
  payoutReturn,
  ...processors.flatMap(({ commands: ofProcessor }) => ofProcessor),
  bankAdd,
  bankList,
  statementImport,
  statementReplace,
  statementSimulate,
  booksReconcile,
  booksExceptions,
  booksMatch,
  booksUnmatch,
  booksAssign,
  booksAdjust,
  booksWriteOff,
  booksClose,
  booksReopen,
  booksDays,
  booksAccounts,
  booksTrialBalance,
  booksExport,
  booksVerify,
  ledgerVerify,
  auditList,
  auditVerify,
  backupRecord,
  secretRotate,
  demoFill,
  migratePlan,
  migrateApply,
  migrateAdopt,
  migrateStatus,
  migrateGrant,
  migratePartitions,
  dbSessions,
  dbDistributePlan,
  dbDistributeApply,
  dbDistributeStatus,
  dbRebalancePlan,
  dbRebalanceApply,
  dbRebalanceStatus,
  check,
  config,
] as const;

type Commands = (typeof commands)[number];

export type CommandName = Commands['name'];

type RequestOf<C extends Command> = C extends Command
  ? { readonly command: C['name'] } & InputOf<C['input']>
  : never;

/** A command's name with its input, as it is sent to a running service. */
export type OperatorRequest = RequestOf<Commands>;
