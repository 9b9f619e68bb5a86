import type { AuditEntry } from '../api/audit-log.ts';

/**
 * What was done, in the past tense and without a subject: "Changed the URL and the rate".
 * `shown` is the endpoint's URL where it stands beside these words.
 */
export function describeEntry({ action, details }: AuditEntry, shown?: string): string {
  switch (action) {
    case 'endpoint.created':
      return details.url === shown
        ? 'Added the endpoint'
        : `Added the endpoint ${word(details.url)}`;
    case 'endpoint.updated':
      return describeUpdate(details);
    case 'endpoint.deleted':
      return `Deleted the endpoint ${word(details.url)}`;
    case 'secret.revealed':
      return 'Read the signing secret';
    case 'secret.rotated':
      return describeRotation(Number(details.overlap_seconds));
    case 'test.sent':
      return `Sent a test of ${word(details.event_type)}, which ${details.succeeded === true ? 'was delivered' : 'failed'}`;
    case 'message.published':
      return `Published a custom ${word(details.event_type)}`;
    case 'message.replayed':
      return 'Sent a message again';
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
      return `Made a ${kindOf(details)}link to this portal`;
    case 'portal.session_opened':
      return `Opened this portal with a ${kindOf(details)}link`;
    case 'portal.session_closed':
      return 'Signed out of this portal';
    case 'portal.session_revoked':
      return `Signed ${word(details.person) || 'someone'} out of this portal`;
    case 'portal.sessions_revoked':
      return `Signed everyone out of this portal: ${Number(details.revoked)} sessions`;
  }
}

type Details = AuditEntry['details'];

function kindOf(details: Details): string {
  return details.read_only === true ? 'read-only ' : '';
}

function describeRotation(seconds: number): string {
  if (seconds === 0) return 'Rotated the signing secret and revoked the one before';
  return `Rotated the signing secret; the one before signs for ${exactSpan(seconds)} more`;
}

/** "24 h", "1 h 30 min", "20 s": nothing is rounded away. */
function exactSpan(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  const given = parts.filter(([count]) => count > 0);
  return given.map(([count, unit]) => `${count} ${unit}`).join(' ');
}

const fieldWords: Record<string, string> = {
  url: 'the URL',
  description: 'the description',
  event_types: 'the event types',
  channels: 'the channels',
  uid: 'the id of your own',
  auth: 'the authentication',
  headers: 'the headers',
  throttle_per_second: 'the rate',
  disable_on_gone: 'what 410 Gone does',
};

function describeUpdate(details: Details): string {
  const changed = Array.isArray(details.changed) ? details.changed : [];
  const words = changed.flatMap((name) => fieldWords[name] ?? []);
  const held = details.held === 'skip' ? ' and skipped what was held' : ' and sent what was held';
  const state =
    details.state === 'enabled'
      ? `Enabled the endpoint${details.held ? held : ''}`
      : details.state === 'disabled'
        ? 'Disabled the endpoint'
        : null;
  const url = details.url ? ` (from ${word(details.url_before)} to ${word(details.url)})` : '';
  const change = words.length > 0 ? `Changed ${joined(words)}${url}` : null;
  return [state, change].filter(Boolean).join('; ') || 'Changed nothing';
}

function joined(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} and ${last}`;
}

function word(value: Details[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}
