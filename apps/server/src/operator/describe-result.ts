import type {
  Agreement,
  ApiKeyLine,
  AppliedTerms,
  AuditReport,
  BookedDispute,
  Dispute,
  ErasedTenant,
  Listed,
  Loss,
  MoneyState,
  OpenPayments,
  Pause,
  PaymentRefund,
  PaymentReturn,
  ShownTerms,
  StoredProgram,
  TenantPayment,
  TermsPreview,
} from '../domain/index.ts';
import { mostListed } from '../domain/listed.ts';
import type { OutboxState } from '../relay/administer-outbox.ts';
import { describeAch, isAch } from './ach-commands.ts';
import type { Administration, VerifiedLedger } from './administer.ts';
import { isBooks } from './books-commands.ts';
import { describeBooks } from './describe-books.ts';
import { describePayouts } from './describe-payouts.ts';
import { describeIncidentReport } from './incident-reports.ts';
import type { AuditLine } from './list-audit-log.ts';
import { describeMail, isMail } from './mail-commands.ts';
import { isPayout } from './payout-commands.ts';
import type { SecretRotation } from './rotate-secret.ts';
import type { Sealing } from './seal-personal-data.ts';
import { table } from './table.ts';

/** Formats the result of a command as text for the operator's terminal. */
export function describeResult(request: Administration, result: object): string {
  if (isAch(request)) return describeAch(request, result);
  if (isMail(request)) return describeMail(request, result);
  if (isBooks(request)) return describeBooks(request, result);
  if (isPayout(request)) return describePayouts(request, result);
  switch (request.command) {
    case 'partner create':
    case 'key create': {
      const { key_id, api_key } = result as Record<'key_id' | 'api_key', string>;
      return `pms      ${request.pms}\nkey id   ${key_id}\nAPI key  ${api_key}\n\nThe key is shown only once. Store it with your backend's secrets.\n`;
    }
    case 'key list':
      return describeKeys(result as { items: ApiKeyLine[] });
    case 'key revoke': {
      const { pms, revoked, sessions_ended } = result as {
        pms: string;
        revoked: boolean;
        sessions_ended: number;
      };
      return revoked
        ? `Revoked ${request.key_id} of ${pms}. Calls and widget signatures made with it are refused from now on. Its portal links and ${sessions_ended} open portal sessions have ended.\n`
        : `${request.key_id} of ${pms} was already revoked.\n`;
    }
    case 'settlement reopen': {
      const { debit_by } = result as { debit_by: string };
      return `${request.settlement_id} is unsettled again. The portal is asked to debit it by ${debit_by}.\n`;
    }
    case 'payment failures':
    case 'db sessions':
      return describeIncidentReport(request, result as never);
    case 'backup record':
      return `Recorded a backup at ${(result as { recorded_at: string }).recorded_at}.\n`;
    case 'money stop': {
      const { changed, ...state } = result as MoneyState & { changed: boolean };
      return changed
        ? 'Money is stopped. No process begins a charge, a refund or a plan from now on; what had begun is finished.\n'
        : `Money was stopped already, ${describeStop(state)}`;
    }
    case 'money start': {
      const { changed, tenants_resumed: count } = result as {
        changed: boolean;
        tenants_resumed: number;
      };
      return changed
        ? `Money moves again. ${tenantsWithSomethingDue(count)}\n`
        : 'Money was not stopped.\n';
    }
    case 'money status': {
      const { pauses, ...state } = result as MoneyState & { pauses: number };
      const paused =
        pauses === 0
          ? 'No collections are paused.\n'
          : `Pauses of collections: ${pauses}. "svc collections list" lists them.\n`;
      return state.stopped_at === null
        ? `Money moves. ${paused}`
        : `Money is stopped, ${describeStop(state)}${paused}`;
    }
    case 'collections pause':
    case 'collections resume':
      return describePause(request, result as { changed: boolean });
    case 'collections list':
      return describePauses(result as { items: readonly Pause[] });
    case 'payment list':
      return 'tenant' in request
        ? describePaymentsOf(request, result as Listed<TenantPayment>)
        : describePayments(result as OpenPayments);
    case 'payment refund': {
      const { amount_in_cents, our_loss_in_cents: loss } = result as PaymentRefund;
      return `$${dollars(amount_in_cents)} of ${request.payment_id} will be sent back to the tenant within a minute. Our loss is $${dollars(loss)}. The installment stays paid. "svc payment list" shows the refund until the bank has answered.\n`;
    }
    case 'payment return': {
      const { amount_in_cents, return_code, changed } = result as PaymentReturn;
      return changed
        ? `${request.payment_id} is returned (${return_code}). The tenant owes $${dollars(amount_in_cents)} again. If the plan is written off, the amount is added to its loss.\n`
        : `${request.payment_id} was returned already (${return_code}), so nothing changed.\n`;
    }
    case 'dispute book': {
      const { amount_in_cents, taken_in_cents, won_in_cents, is_booked } = result as BookedDispute;
      const state = is_booked
        ? 'It pays the installment, or goes back to the tenant who has paid it meanwhile.'
        : 'It is booked once the payment that is on its way has its outcome.';
      return `$${dollars(amount_in_cents)} of ${request.dispute} came back. ${state} Of $${dollars(taken_in_cents)} that the bank took, $${dollars(won_in_cents)} are ours again.\n`;
    }
    case 'outbox list':
      return describeOutbox(result as OutboxState);
    case 'outbox retry': {
      const { retried } = result as { retried: number };
      return `${retried} parked messages of ${request.pms} are pending again, in their old order. What waited after a failure is tried at once.\n`;
    }
    case 'outbox drop': {
      const { destinations } = result as { destinations: readonly string[] };
      return `${request.message_id} is dropped: ${destinations.join(' and ')} will never get it. It stays in /events.\n`;
    }
    case 'terms list':
      return describeVersions(result as { items: readonly StoredProgram[] });
    case 'terms show':
      return `${JSON.stringify((result as ShownTerms).terms, null, 2)}\n`;
    case 'terms preview':
      return describePreview(result as TermsPreview);
    case 'terms apply': {
      const { version, pms, state, effective_from } = result as Omit<AppliedTerms, 'partner_id'>;
      return `${version} is in effect from ${effective_from} on, for ${pms ?? 'all partners'} in ${state ?? 'all states'}. Plans that exist keep their terms.\n`;
    }
    case 'plan agreement':
      return describeAgreement(result as Agreement);
    case 'dispute list':
      return describeDisputes(result as Listed<Dispute>);
    case 'loss list':
      return describeLosses(result as Listed<Loss>);
    case 'audit list':
      return describeAuditLog(result as Listed<AuditLine>);
    case 'audit verify':
      return describeAuditReport(result as AuditReport);
    case 'ledger verify':
      return describeLedger(result as VerifiedLedger);
    case 'secret rotate':
      return describeRotation(result as SecretRotation);
    case 'tenant export':
      return `${JSON.stringify(result, null, 2)}\n`;
    case 'tenant erase':
      return describeErasure(request, result as ErasedTenant);
    case 'tenant seal':
      return describeSealing(result as Sealing);
  }
}

function describeKeys({ items }: { readonly items: readonly ApiKeyLine[] }): string {
  return table(
    'API keys',
    ['key id', 'partner', 'name', 'ends with', 'created', 'last used', 'state'],
    items.map((key) => [
      key.key_id,
      key.pms,
      key.name ?? '',
      key.ends_with === null ? '' : `…${key.ends_with}`,
      minute(key.created_at),
      key.last_used_at === null ? '' : minute(key.last_used_at),
      stateOfKey(key),
    ]),
  );
}

function stateOfKey({ expires_at, revoked_at }: ApiKeyLine): string {
  if (revoked_at !== null) return `revoked ${minute(revoked_at)}`;
  return expires_at === null ? 'live' : `rotated, works until ${minute(expires_at)}`;
}

function tenantsWithSomethingDue(count: number): string {
  if (count === 0) return 'Nothing fell due meanwhile.';
  const tenants = count === 1 ? '1 tenant' : `${count} tenants`;
  return `Something fell due for ${tenants} meanwhile; the next pass collects it, within a minute.`;
}

function describeStop({ stopped_at, stopped_by, reason }: MoneyState): string {
  return `since ${minute(stopped_at ?? '')}, by ${stopped_by}: ${reason}\n`;
}

function describePause(
  request: Extract<Administration, { command: 'collections pause' | 'collections resume' }>,
  { changed }: { readonly changed: boolean },
): string {
  const { command, pms, property, tenant } = request;
  const subject =
    tenant !== undefined
      ? `tenant ${tenant} of ${pms}`
      : property !== undefined
        ? `property ${property} of ${pms}`
        : pms;
  if (command === 'collections pause') {
    return changed
      ? `Collections of ${subject} are paused. What falls due is collected after "collections resume".\n`
      : `Collections of ${subject} were paused already.\n`;
  }
  return changed
    ? `Collections of ${subject} continue. The next pass collects what fell due, within a minute.\n`
    : `Collections of ${subject} were not paused. "svc collections list" lists all pauses.\n`;
}

function describePauses({ items }: { readonly items: readonly Pause[] }): string {
  return table(
    'pauses of collections',
    ['since', 'partner', 'what', 'by', 'reason'],
    items.map((it) => [
      minute(it.started_at),
      it.pms,
      it.scope === 'partner' ? 'everything' : `${it.scope} ${it.subject}`,
      it.started_by,
      it.reason,
    ]),
  );
}

function describePaymentsOf(
  { pms, tenant }: { readonly pms: string; readonly tenant: string },
  { items, has_more }: Listed<TenantPayment>,
): string {
  return table(
    `payments of ${pms}/${tenant}`,
    ['began', 'payment', 'amount', 'state', 'given back', 'due on', 'from', 'plan'],
    items.map((it) => [
      minute(it.began_at),
      it.payment_id,
      dollars(it.amount_in_cents),
      it.return_code === null ? it.state : `${it.state} (${it.return_code})`,
      it.refunded_in_cents === 0 ? '' : dollars(it.refunded_in_cents),
      it.installment_due_on,
      it.method,
      it.plan_id,
    ]),
    has_more ? olderLeftOut : '',
  );
}

function describePayments(open: OpenPayments): string {
  const calls = table(
    'calls without a final outcome',
    ['began', 'age', 'what', 'state', 'amount', 'tenant', 'payment', 'tries', 'next check'],
    open.calls.map((it) => [
      minute(it.began_at),
      age(it.age_in_seconds),
      it.kind,
      it.return_code === null ? it.state : `refused (${it.return_code})`,
      dollars(it.amount_in_cents),
      `${it.pms}/${it.external_id}`,
      it.payment_id,
      String(it.tries),
      it.next_check_at === null ? '' : minute(it.next_check_at),
    ]),
    open.has_more_calls ? olderLeftOut : '',
  );
  const returns = table(
    'returns that wait for their payment',
    ['received', 'what', 'code', 'amount', 'payment is', 'tenant', 'payment'],
    open.waiting_returns.map((it) => [
      minute(it.received_at),
      it.kind === 'won' ? 'won' : 'returned',
      it.return_code ?? '',
      it.amount_in_cents === null ? 'all' : dollars(it.amount_in_cents),
      it.payment_state,
      `${it.pms}/${it.external_id}`,
      it.payment_id,
    ]),
    open.has_more_returns ? olderLeftOut : '',
  );
  const events = table(
    'events that were ignored',
    ['received', 'processor', 'event', 'kind', 'about', 'reason', 'tries', 'next try'],
    open.ignored_events.map((it) => [
      minute(it.received_at),
      it.processor,
      it.event_id,
      it.kind ?? '',
      it.about ?? '',
      it.reason,
      String(it.tries),
      it.next_try_at === null ? '' : minute(it.next_try_at),
    ]),
    open.has_more_events ? olderLeftOut : '',
  );
  return `${calls}\n${returns}\n${events}`;
}

/** `5 min`, `3 h` or `2 d`, rounded down. */
function age(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.floor(hours / 24)} d`;
}

function describeOutbox({ streams, parked }: OutboxState): string {
  const waiting = table(
    'messages that wait',
    ['partner', 'for', 'waiting', 'oldest', 'failures', 'next try', 'last error'],
    streams.map((it) => [
      it.pms,
      it.destination,
      String(it.waiting),
      minute(it.oldest_at),
      String(it.failures),
      it.next_try_at === null ? 'now' : minute(it.next_try_at),
      it.last_error ?? '',
    ]),
  );
  const refused = table(
    'parked messages',
    ['parked', 'partner', 'for', 'message', 'type', 'reason'],
    parked.items.map((it) => [
      minute(it.parked_at),
      it.pms,
      it.destination,
      it.message_id,
      it.type ?? '',
      it.reason,
    ]),
    parked.has_more ? olderLeftOut : '',
  );
  return `${waiting}\n${refused}`;
}

function describeVersions({ items }: { readonly items: readonly StoredProgram[] }): string {
  return table(
    'stored versions, so the built-in terms apply',
    ['effective from', 'partner', 'state', 'version', 'applied', 'by', 'reason'],
    items.map((it) => [
      it.effective_from,
      it.pms ?? 'all',
      it.state ?? 'all',
      it.version,
      minute(it.created_at),
      it.created_by,
      it.reason,
    ]),
    'Of the versions in effect, the most specific applies: partner and state, partner, state, all.',
  );
}

function describePreview(preview: TermsPreview): string {
  const { now, new: next, changes, offered_on } = preview;
  const sides = [now, next];
  const counts = new Set(sides.flatMap((it) => it.quotes.map((quote) => quote.installment_count)));
  const rows = [...counts]
    .sort((a, b) => a - b)
    .flatMap((count) => {
      const [left = [], right = []] = sides.map((side) => offerLines(side, count));
      return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => [
        index === 0 ? String(count) : '',
        left[index] ?? '',
        right[index] ?? '',
      ]);
    });
  const offers = table('offers', ['payments', `now (${now.version})`, 'new'], rows);
  const refusals = (['now', 'new'] as const).flatMap((name) => {
    const { refused } = preview[name];
    return refused === null ? [] : [`Nothing is offered under the terms "${name}": ${refused}.\n`];
  });
  const differences = table(
    'differences',
    ['field', 'now', 'new'],
    changes.map((it) => [it.field, fieldText(it.field, it.now), fieldText(it.field, it.new)]),
  );
  return `$${dollars(preview.amount_in_cents)}, due and split on ${offered_on}\n\n${offers}${refusals.join('')}\n${differences}`;
}

function offerLines({ quotes }: TermsPreview['now'], count: number): string[] {
  const quote = quotes.find((it) => it.installment_count === count);
  if (!quote) return ['not offered'];
  return [
    `fee ${dollars(quote.fee_in_cents)}, APR ${(quote.apr_bps / 100).toFixed(1)} %`,
    ...quote.installments.map((it) => `${it.due_date}  ${dollars(it.amount_in_cents)}`),
    `total ${dollars(quote.total_of_payments_in_cents)}`,
  ];
}

function fieldText(field: string, value: unknown): string {
  if (field !== 'documents') return JSON.stringify(value);
  return value === null ? 'built-in texts' : 'other texts (see --json)';
}

function describeAgreement(agreement: Agreement): string {
  const head = [
    ['plan', agreement.plan_id],
    ['tenant', `${agreement.pms}/${agreement.external_id}`],
    ['agreed', minute(agreement.accepted_at)],
    ['language', agreement.locale ?? ''],
    ['terms', agreement.terms_version],
    ['SHA-256', agreement.sha256],
  ].map(([name = '', value]) => `${name.padEnd(9)} ${value}\n`);
  const note = agreement.is_full_text
    ? ''
    : 'The tenant was erased. The hash is of the text with the names of the tenant and the home.\n';
  return `${head.join('')}${note}\n${agreement.text}\n`;
}

function describeDisputes({ items, has_more }: Listed<Dispute>): string {
  return table(
    'disputes and returned payments',
    [
      'began on',
      'amount',
      'taken',
      'won',
      'reason',
      'state',
      'won on',
      'dispute',
      'answer by',
      'tenant',
      'payment',
    ],
    items.map((dispute) => [
      dispute.began_on,
      dollars(dispute.amount_in_cents),
      dollars(dispute.taken_in_cents),
      dollars(dispute.won_in_cents),
      dispute.reason,
      dispute.state,
      dispute.won_on ?? '',
      dispute.dispute === null ? '' : `${dispute.dispute} (${dispute.status})`,
      dispute.answer_by === null ? '' : minute(dispute.answer_by),
      `${dispute.pms}/${dispute.external_id}`,
      dispute.payment_id,
    ]),
    has_more ? olderLeftOut : '',
  );
}

function describeLosses({ items, has_more }: Listed<Loss>): string {
  return table(
    'written-off plans',
    ['written off', 'amount', 'still owed', 'tenant', 'plan'],
    items.map((loss) => [
      loss.written_off_on,
      dollars(loss.written_off_in_cents),
      dollars(loss.still_owed_in_cents),
      `${loss.pms}/${loss.external_id}`,
      loss.plan_id,
    ]),
    has_more ? olderLeftOut : '',
  );
}

function describeAuditLog({ items, has_more }: Listed<AuditLine>): string {
  return table(
    'audit entries that match',
    ['time', 'partner', 'action', 'by', 'endpoint', 'subject', 'details'],
    items.map((entry) => [
      `${entry.occurred_at.slice(0, 19).replace('T', ' ')} UTC`,
      entry.pms,
      entry.action,
      credentialOf(entry),
      entry.endpoint_id ?? '',
      entry.subject_id ?? '',
      Object.entries(entry.details)
        .map(([name, value]) => `${name}=${shortened(value)}`)
        .join(' '),
    ]),
    has_more
      ? `There are older entries. Add "--before ${items.at(-1)?.id}" for the next page.`
      : '',
  );
}

const mostItems = 3;

/** A detail for a cell of a table. `--json` shows lists in full, which may have a hundred names. */
function shortened(value: unknown): string {
  if (!Array.isArray(value) || value.length <= mostItems) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, mostItems)).slice(0, -1)},… ${value.length} in all]`;
}

function credentialOf({ via, credential_id, person, ends_with }: AuditLine): string {
  switch (via) {
    case 'cli':
      return `${credential_id} (command line)`;
    case 'key':
      return ends_with === null ? credential_id : `${credential_id} (…${ends_with})`;
    case 'portal':
      return person === null ? credential_id : `${credential_id} (${person})`;
  }
}

function describeLedger(ledger: VerifiedLedger): string {
  const { transfers, seals, seals_before_partners: shared, unsealed, faults } = ledger;
  const { checked_transfers: checked, note, books } = ledger;
  const partners = table(
    'partners',
    ['partner', 'transfers', 'seals', 'not sealed yet', 'faults'],
    ledger.partners.map((it) =>
      [it.pms, it.transfers, it.seals, it.unsealed, it.faults.length].map(String),
    ),
  );
  const accounts = Object.entries(ledger.trial_balance).map(
    ([kind, total]) => `  ${kind.padEnd(20)} ${dollars(total).padStart(16)}\n`,
  );
  const verdict =
    faults.length === 0
      ? `${checked < transfers ? sinceCheckpoint(checked) : 'The ledger balances and every seal is valid.'}\n`
      : faults.map((fault) => `FAULT: ${fault}\n`).join('');
  const sides =
    books === undefined
      ? ''
      : `\n${describeBooks({ command: 'books verify' }, { ...books, faults: [] })}\n`;
  const older =
    shared === 0 ? '' : `, of them ${shared} from before each partner had its own seals`;
  return `${partners}\nTransfers: ${transfers}, seals: ${seals}${older}, not sealed yet: ${unsealed}.\n${accounts.join('')}${sides}${verdict}${note === undefined ? '' : `${note}\n`}`;
}

function sinceCheckpoint(checked: number): string {
  return `The ledger balances and every new seal is valid. Checked ${checked} transfers that are newer than the last run; --full checks all.`;
}

function describeAuditReport({ chains, faults, role, role_may_change }: AuditReport): string {
  const body = table(
    'chains of the audit log',
    ['chain', 'entries', 'seals', 'not sealed yet', 'faults', 'last seal'],
    chains.map((it) => [
      it.chain,
      ...[it.entries, it.seals, it.unsealed, it.faults.length].map(String),
      it.last_seal ?? '',
    ]),
  );
  const verdict =
    faults.length === 0
      ? 'Every sealed entry is as it was written.\n'
      : faults.map((fault) => `FAULT: ${fault}\n`).join('');
  const note = role_may_change
    ? `The database role ${role} of this command may change the audit log. If the service runs with it, see docs/operate/audit-log.md.\n`
    : `The database role ${role} of this command cannot change the audit log.\n`;
  return `${body}\n${note}${verdict}`;
}

function describeRotation({
  resealed,
  remaining,
  chains_with_faults: faulty,
}: SecretRotation): string {
  const done = `Encrypted ${resealed} values again with the first key of SVC_SECRET_KEY.\n`;
  if (remaining === 0 && faulty > 0) {
    return `${done}The audit log has faults, so ${faulty} of its chains are not signed with that key. Keep the other keys, and see "svc audit verify".\n`;
  }
  return remaining === 0
    ? `${done}Every value is encrypted with that key now. If SVC_SECRET_KEY lists others, remove them and restart every process.\n`
    : `${done}${remaining} values are still encrypted with another key, because a running process has it as its first key. Restart every process with the new key first, then run the command again.\n`;
}

function describeErasure(
  { pms, external_id }: { readonly pms: string; readonly external_id: string },
  { external_id: now }: ErasedTenant,
): string {
  return `Erased the tenant ${external_id} of ${pms} and destroyed the key. Plans and settlements show ${now} from now on. Backups still contain the key: note this erasure next to them, and repeat it after a restore.\n`;
}

function describeSealing({ sealed, remaining }: Sealing): string {
  const done = `Encrypted the personal data of ${sealed} tenants and deleted the clear text. Services before 0.3.0 can no longer run on this database.\n`;
  if (sealed + remaining === 0) return `No tenant is stored in clear text.\n`;
  const rest = remaining === 0 ? '' : `${remaining} tenants are still stored in clear text.\n`;
  return `${done}${rest}A process that started before this command still writes clear text. Restart every process, then run the command again until no tenant is stored in clear text.\n`;
}

const olderLeftOut = `Only the newest ${mostListed} are listed.`;

/** `2026-02-01 12:00 UTC`. */
function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `1234.50`, without a currency sign. */
function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
