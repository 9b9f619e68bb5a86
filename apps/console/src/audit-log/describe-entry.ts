import { joinWords } from '@svc/ui/console/text/join-words.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { minuteTime } from '@svc/ui/console/time/format-time.ts';
import type { AuditEntry } from '../api/audit-log.ts';

/**
 * Describes an audit entry in the past tense without a subject: "Changed the URL and the rate limit".
 *
 * @param shown the endpoint's URL if it is displayed next to the text, so that it is not repeated
 */
export function describeEntry({ action, details }: AuditEntry, shown?: string): string {
  switch (action) {
    case 'endpoint.created':
      return `Added the endpoint${details.url === shown ? '' : ` ${textOf(details.url)}`}${
        details.state === 'disabled' ? ', disabled' : ''
      }`;
    case 'endpoint.updated':
      return describeUpdate(details);
    case 'endpoint.deleted':
      return `Deleted the endpoint ${textOf(details.url)}`;
    case 'secret.revealed':
      return 'Viewed the signing secret';
    case 'secret.rotated':
      return describeRotation(Number(details.overlap_seconds));
    case 'secret.key_pair_rotated':
      return 'Created a new ed25519 key pair';
    case 'test.sent':
      return `Sent a test ${textOf(details.event_type)} event, which ${details.succeeded === true ? 'was delivered' : 'failed'}`;
    case 'test.preset_saved':
      return `Saved the test body ${textOf(details.name)}`;
    case 'test.preset_removed':
      return 'Removed a saved test body';
    case 'message.published':
      return `Published a custom ${textOf(details.event_type)} event`;
    case 'message.replayed':
      return 'Resent a message';
    case 'message.expunged':
      return 'Erased the payload of a message';
    case 'replay.started':
      return `Started a replay of ${Number(details.total).toLocaleString('en-US')} messages`;
    case 'replay.paused':
      return 'Paused a replay';
    case 'replay.resumed':
      return 'Resumed a replay';
    case 'replay.canceled':
      return 'Canceled a replay';
    case 'portal.link_created':
      return `Created a ${kindOf(details)}link to this console`;
    case 'portal.session_opened':
      return `Opened this console with a ${kindOf(details)}link`;
    case 'portal.session_closed':
      return 'Signed out of this console';
    case 'portal.session_revoked':
      return `Signed ${textOf(details.person) || 'someone'} out of this console`;
    case 'portal.sessions_revoked':
      return `Signed everyone out of this console: ${Number(details.revoked)} sessions`;
    case 'portal.token_created':
      return `Created a token for the view ${textOf(details.view)} of this console, which can make changes`;
    case 'settlement.updated':
      return describeSettlement(details);
    case 'settlement.returned':
      return `Reported that the bank returned a settlement of ${dollars(details)}`;
    case 'settlement.refunded':
      return `Refunded ${dollars(details)} of a settlement`;
    case 'payout.scheduled':
      return details.method === 'each'
        ? 'Ended payouts: each settlement is debited separately'
        : `Scheduled payouts for ${Number(details.cut_off_hour)}:00 in New York`;
    case 'payout.created':
      return `Created a payout of ${dollars(details)}`;
    case 'payout.adjusted':
      return `Adjusted the next payout by ${dollars(details)}`;
    case 'payout.updated':
      return `Reported a payout of ${dollars(details)} as ${textOf(details.status)}`;
    case 'settlement.reopened':
      return `Reopened a settlement of ${dollars(details)}, to be debited by ${textOf(details.debit_by)}${reasonOf(details)}`;
    case 'payment.refunded':
      return `Gave ${dollars(details)} of a payment back to the tenant${reasonOf(details)}`;
    case 'payment.returned':
      return `Recorded that the bank returned a payment of ${dollars(details)} (${textOf(details.return_code)})${reasonOf(details)}`;
    case 'payment.dispute_booked':
      return `Booked ${dollars(details)} that a bank gave back of a dispute${reasonOf(details)}`;
    case 'plan.payment_moved':
      return `Moved a payment of ${dollars(details)} from ${textOf(details.from)} to ${textOf(details.to)}${reasonOf(details)}`;
    case 'plan.canceled':
      return `Canceled a plan before it began${reasonOf(details)}`;
    case 'plan.fee_waived':
      return `Waived ${dollars(details)} of a plan’s fee${reasonOf(details)}`;
    case 'collections.paused':
      return `Paused automatic collections${pausedOf(details)}${reasonOf(details)}`;
    case 'collections.resumed':
      return `Resumed automatic collections${pausedOf(details)}${reasonOf(details)}`;
    case 'key.created':
      return `Created an API key${nameSuffix(details)}${details.link_expires_at === undefined ? '' : ' with a link that shows it once'}${reasonOf(details)}`;
    case 'key.link_opened':
      return 'Opened the link that shows an API key once';
    case 'key.rotated':
      return Number(details.overlap_hours) === 0
        ? 'Rotated an API key and revoked the previous one'
        : `Rotated an API key; the previous one works for another ${exactSpan(Number(details.overlap_hours) * 3_600)}`;
    case 'key.revoked':
      return `Revoked an API key${reasonOf(details)}`;
    case 'partner.created':
      return `Created this account and its first API key${reasonOf(details)}`;
    case 'mail.printed':
      return `Printed a mail to a tenant${reasonOf(details)}`;
    case 'mail.sent_on_paper':
      return `Sent a notice on paper${reasonOf(details)}`;
    case 'mail.resent':
      return `Sent a mail again${reasonOf(details)}`;
    case 'tenant.exported':
      return `Exported what is stored about the tenant ${textOf(details.external_id)}${reasonOf(details)}`;
    case 'tenant.erased':
      return `Erased the tenant ${textOf(details.external_id)}${reasonOf(details)}`;
    case 'tenant.notices_on_paper':
      return `Sends notices to the tenant ${textOf(details.external_id)} on paper${reasonOf(details)}`;
    case 'partner.appearance_changed':
      return `Changed the appearance: ${describeAppearance(details)}`;
    case 'partner.logo_uploaded':
      return 'Uploaded a logo';
    case 'partner.logo_removed':
      return 'Removed the logo';
    case 'partner.font_uploaded':
      return 'Uploaded a font';
    case 'partner.font_removed':
      return 'Removed the font';
    case 'partner.doctor_run':
      return `Ran the doctor: ${joinValues(details.failed) === 'none' ? 'no check failed' : `failed ${joinValues(details.failed)}`}`;
    case 'partner.go_live_marked':
      return `${details.done === true ? 'Marked' : 'Unmarked'} an item of the go-live checklist`;
    case 'partner.certification_started':
      return 'Started a certification';
    case 'partner.certification_finished':
      return `Finished a certification, which ${details.state === 'incomplete' ? 'was incomplete' : textOf(details.state)}`;
    case 'partner.origins_changed':
      return describeOrigins(details);
  }
}

function describeOrigins(details: Details): string {
  const lists = { allowed_origins: 'allowed origins', app_schemes: 'app schemes' };
  const changes = Object.entries(lists)
    .filter(([name]) => name in details)
    .map(
      ([name, words]) =>
        `${words} from ${joinValues(details[`${name}_before`])} to ${joinValues(details[name])}`,
    );
  return `Changed the ${changes.join(', and the ')}`;
}

/** Lists the changed settings: "accent #1d4ed8, theme dark". */
function describeAppearance(details: Details): string {
  const names = ['accent', 'radius', 'font', 'theme'].filter((name) => name in details);
  return names.map((name) => `${name} ${String(details[name])}`).join(', ');
}

/** A settlement update changes the status, or only adds the ID of the debit. */
function describeSettlement(details: Details): string {
  const { status, status_before, processor_transaction_id } = details;
  const debit = processor_transaction_id ? `, debit ${textOf(processor_transaction_id)}` : '';
  return status === status_before
    ? `Added the debit to a settlement of ${dollars(details)}${debit}`
    : `Changed a settlement of ${dollars(details)} from ${textOf(status_before)} to ${textOf(status)}${debit}`;
}

function dollars({ amount_in_cents }: Details): string {
  const style = { style: 'currency', currency: 'USD' } as const;
  return (Number(amount_in_cents ?? 0) / 100).toLocaleString('en-US', style);
}

function reasonOf({ reason }: Details): string {
  return reason ? `: ${textOf(reason)}` : '';
}

function pausedOf({ property, tenant }: Details): string {
  if (tenant) return ` of the tenant ${textOf(tenant)}`;
  return property ? ` of the property ${textOf(property)}` : '';
}

function joinValues(value: Details[string] | undefined): string {
  return Array.isArray(value) && value.length > 0 ? value.map(visibleText).join(', ') : 'none';
}

type Details = AuditEntry['details'];

function kindOf(details: Details): string {
  const scope = details.scope === 'admin' ? 'admin ' : '';
  return details.read_only === true ? `read-only ${scope}` : scope;
}

function nameSuffix({ name }: Details): string {
  return name ? ` named “${textOf(name)}”` : '';
}

function describeRotation(seconds: number): string {
  if (seconds === 0) return 'Rotated the signing secret and revoked the previous one';
  return `Rotated the signing secret; the previous one keeps signing for another ${exactSpan(seconds)}`;
}

/** Formats a duration without rounding: "24 h", "1 h 30 min", "20 s". */
function exactSpan(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const nonZeroParts = parts.filter(([count]) => count > 0);
  return nonZeroParts.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

const fieldWords: Record<string, string> = {
  url: 'the URL',
  description: 'the description',
  event_types: 'the event types',
  channels: 'the channels',
  uid: 'the custom ID',
  filter: 'the filter',
  auth: 'the authentication',
  headers: 'the headers',
  throttle_per_second: 'the rate limit',
  disable_on_gone: 'the handling of 410 Gone',
  honor_retry_after: 'the handling of Retry-After',
  ordered: 'the order of deliveries',
  asymmetric_signature: 'the ed25519 signature',
};

function describeUpdate(details: Details): string {
  const changed = Array.isArray(details.changed) ? details.changed : [];
  const words = changed.flatMap((name) => fieldWords[name] ?? []);
  const held =
    details.held === 'skip' ? ' and skipped the held messages' : ' and sent the held messages';
  const state =
    details.state === 'enabled'
      ? `Enabled the endpoint${details.held ? held : ''}`
      : details.state === 'disabled'
        ? 'Disabled the endpoint'
        : null;
  const url = details.url ? ` (from ${textOf(details.url_before)} to ${textOf(details.url)})` : '';
  const change = words.length > 0 ? `Changed ${joinWords(words)}${url}` : null;
  return [state, change].filter(Boolean).join('; ') || 'Saved without changes';
}

/** Returns a detail as text for a sentence. Empty if the detail is not text. */
function textOf(value: Details[string] | undefined): string {
  return typeof value === 'string' ? visibleText(value) : '';
}

/** Names who made a change, with a detail that distinguishes this key or session from others. */
export function describeActor({ via, credential }: Pick<AuditEntry, 'via' | 'credential'>): {
  name: string;
  detail: string;
} {
  const { ends_with, person, read_only, since } = credential;
  if (via === 'cli') {
    return { name: person ?? 'Operator', detail: 'service operator, command line' };
  }
  if (via === 'key') {
    return {
      name: ends_with === null ? 'API key' : `API key …${ends_with}`,
      detail: `created ${minuteTime(since)}`,
    };
  }
  return {
    name: person ?? 'Console session',
    detail: `${read_only ? 'read-only, ' : ''}opened ${minuteTime(since)}`,
  };
}
