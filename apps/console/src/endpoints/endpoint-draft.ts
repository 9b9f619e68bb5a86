import type { CreateEndpointInput, Endpoint, UpdateEndpointInput } from '../api/endpoints.ts';
import { readChannels } from '../subscriptions/read-channels.ts';
import { formatFilter, parseFilter } from './filter-text.ts';

/** The state of the endpoint form. Secrets are write-only, so an edit starts without them. */
export interface Draft {
  url: string;
  description: string;
  /** Null subscribes to all types, including ones added later. */
  eventTypes: string[] | null;
  /** Null keeps the stored value. */
  auth: AuthDraft | null;
  /** Null keeps the stored value. */
  headers: HeaderDraft[] | null;
  channels: string;
  /** One condition per line. */
  filter: string;
  uid: string;
  throttle: string;
  disableOnGone: boolean;
  honorRetryAfter: boolean;
  ordered: boolean;
  asymmetricSignature: boolean;
  /** For a new endpoint: nothing is sent until it is enabled. */
  disabled: boolean;
  secret: string;
}

/** The props of each section of the endpoint form. */
export interface PartProps {
  draft: Draft;
  stored: Endpoint | null;
  error: Error | null;
  onChange: (part: Partial<Draft>) => void;
}

export interface AuthDraft {
  type: 'none' | 'basic' | 'header';
  username: string;
  password: string;
  name: string;
  value: string;
}

export interface HeaderDraft {
  key: number;
  name: string;
  value: string;
}

export const noAuth: AuthDraft = { type: 'none', username: '', password: '', name: '', value: '' };

export function emptyDraft(): Draft {
  return {
    url: '',
    description: '',
    eventTypes: null,
    auth: noAuth,
    headers: [],
    channels: '',
    filter: '',
    uid: '',
    throttle: '',
    disableOnGone: false,
    honorRetryAfter: false,
    ordered: false,
    asymmetricSignature: false,
    disabled: false,
    secret: '',
  };
}

export function draftFrom(endpoint: Endpoint): Draft {
  return {
    url: endpoint.url,
    description: endpoint.description ?? '',
    eventTypes: endpoint.event_types,
    auth: endpoint.auth.type === 'none' ? noAuth : null,
    headers: endpoint.header_names.length === 0 ? [] : null,
    channels: endpoint.channels?.join(', ') ?? '',
    filter: formatFilter(endpoint.filter),
    uid: endpoint.uid ?? '',
    throttle: endpoint.throttle_per_second?.toString() ?? '',
    disableOnGone: endpoint.disable_on_gone,
    honorRetryAfter: endpoint.honor_retry_after,
    ordered: endpoint.ordered,
    asymmetricSignature: endpoint.asymmetric_signature,
    disabled: endpoint.state === 'disabled',
    secret: '',
  };
}

export function toCreateInput(draft: Draft): CreateEndpointInput {
  const secret = draft.secret.trim();
  return {
    ...sharedInput(draft),
    ...(secret === '' ? {} : { secret }),
    ...(draft.disabled ? { state: 'disabled' as const } : {}),
  };
}

/** Only the changed fields, so that concurrent edits of other fields are not overwritten. */
export function toUpdateInput(draft: Draft, endpoint: Endpoint): UpdateEndpointInput {
  const before = sharedInput(draftFrom(endpoint)) as Record<string, unknown>;
  const after = Object.entries(sharedInput(draft));
  const changed = after.filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name]),
  );
  return Object.fromEntries(changed);
}

function sharedInput(draft: Draft): CreateEndpointInput {
  const channels = readChannels(draft.channels);
  return {
    url: draft.url.trim(),
    description: draft.description.trim() || null,
    event_types: draft.eventTypes,
    channels: channels.length === 0 ? null : channels,
    filter: parseFilter(draft.filter),
    uid: draft.uid.trim() || null,
    throttle_per_second: draft.throttle.trim() === '' ? null : Number(draft.throttle),
    disable_on_gone: draft.disableOnGone,
    honor_retry_after: draft.honorRetryAfter,
    ordered: draft.ordered,
    asymmetric_signature: draft.asymmetricSignature,
    ...(draft.auth ? { auth: authInput(draft.auth) } : {}),
    ...(draft.headers ? { headers: headersInput(draft.headers) } : {}),
  };
}

function authInput(auth: AuthDraft): NonNullable<CreateEndpointInput['auth']> {
  if (auth.type === 'basic')
    return { type: 'basic', username: auth.username, password: auth.password };
  if (auth.type === 'header') return { type: 'header', name: auth.name, value: auth.value };
  return { type: 'none' };
}

function headersInput(headers: readonly HeaderDraft[]): Record<string, string> {
  const named = headers.filter(({ name }) => name.trim() !== '');
  return Object.fromEntries(named.map(({ name, value }) => [name.trim(), value]));
}
