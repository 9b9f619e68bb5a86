import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import type { Endpoint } from '../api/endpoints.ts';

export function EndpointState({ endpoint }: { endpoint: Endpoint }) {
  if (endpoint.state === 'enabled' && endpoint.failing_since !== null)
    return <StateMark tone="bad">Failing</StateMark>;
  if (endpoint.state === 'enabled') return <StateMark tone="good">Enabled</StateMark>;
  const byUs = endpoint.disabled_reason !== 'by_owner';
  const held = endpoint.held_count > 0 ? `, ${heldWords(endpoint.held_count)} held` : '';
  return <StateMark tone={byUs ? 'bad' : 'neutral'}>{`Disabled${held}`}</StateMark>;
}

/** The service stops counting held messages at this number. */
const mostHeld = 10_000;

export function heldWords(held: number): string {
  return held < mostHeld ? `${held}` : `${mostHeld.toLocaleString('en')} or more`;
}

/** Explains in a sentence why an endpoint is disabled. */
export function describeDisabled(reason: string | null): string {
  return reasons[reason ?? ''] ?? 'It is disabled.';
}

const reasons: Record<string, string> = {
  by_owner: 'Someone on your team disabled it.',
  failing: 'Every attempt failed for five days, so it was disabled.',
  gone: 'Your server returned 410 Gone, so it was disabled.',
};
