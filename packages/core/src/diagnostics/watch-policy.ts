import type { Instance } from '../instance.ts';

/** A widget or a staff view, whose service the page's policy may block. */
type Watched = Pick<Instance, 'serviceOrigin' | 'blockedBy'>;

/**
 * Records which of the service's frames, requests and scripts the page's Content-Security-Policy blocks. A
 * block is permanent, because a page's policy cannot be loosened while the page is open.
 * @returns a function that stops listening
 */
export function watchPolicy(watched: Watched, onFrameBlocked: () => void): () => void {
  const type = 'securitypolicyviolation';
  const listener = (event: SecurityPolicyViolationEvent) => {
    const { blockedURI, disposition, effectiveDirective, originalPolicy } = event;
    const { serviceOrigin, blockedBy } = watched;
    if (disposition === 'report' || !`${blockedURI}/`.startsWith(`${serviceOrigin}/`)) return;
    // Some browsers report the fallback directive that applied, such as default-src, so the URL is checked too.
    const isRequest = /\/v1\//.test(blockedURI);
    const isFrame =
      /^frame|^child/.test(effectiveDirective) || /\/(experience|portal)\//.test(blockedURI);
    const directive = isFrame ? 'frame-src' : isRequest ? 'connect-src' : effectiveDirective;
    blockedBy.set(
      directive,
      `${directive} ${sourcesOf(originalPolicy, directive)}${serviceOrigin}`,
    );
    if (isFrame) onFrameBlocked();
  };
  // On a server there is no page, and globalThis has no addEventListener.
  globalThis.addEventListener?.(type, listener);
  return () => globalThis.removeEventListener?.(type, listener);
}

/**
 * Returns the sources that the page's directive has so far, each followed by a space. Keywords such as
 * 'unsafe-inline' mean nothing for frames and requests, and a page should not copy them.
 */
function sourcesOf(policy: string, directive: string): string {
  for (const name of [directive, directive === 'frame-src' && 'child-src', 'default-src']) {
    const found = new RegExp(`(^|[;,]) *${name} +([^;,]*)`, 'i').exec(policy)?.[2]?.trim();
    if (!found) continue;
    const isKept = /^(frame|connect)/.test(directive) ? /^([^']|'self')/i : /^(?!'none')/i;
    const kept = found.split(/ +/).filter((source) => isKept.test(source));
    return kept.map((source) => `${source} `).join('');
  }
  return '';
}

/** Returns the message for what was blocked. It names the directive that the policy needs. */
export function blockedMessage(
  { serviceOrigin, blockedBy }: Watched,
  what: string,
  directive: string,
): string {
  return `This page's Content-Security-Policy blocks ${what} ${serviceOrigin}. The policy needs "${blockedBy.get(directive)}".`;
}
