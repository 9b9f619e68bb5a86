/** Kept in `history.state`, which survives a reload, is sent to no server, and needs no storage. */
interface Kept {
  /** The secret of a hosted link that was not used yet. */
  readonly svcLink?: string;
  /** The code of that link was sent. */
  readonly svcCodeSent?: boolean;
  /** The session that the link opened. */
  readonly svcSession?: string;
  /** That link came in an email about a plan. */
  readonly svcFromMail?: boolean;
}

/**
 * The secret of an email link or a hosted link, from the fragment `#link=…`. Removes it from the address
 * at once, so that it is in no bookmark or copied link. Fragments are never sent to a server. A hosted
 * link stays with the history entry: a phone may reload the page while the tenant reads the code.
 */
export function takeLinkSecret({ location, history }: Window): string | null {
  const link = new URLSearchParams(location.hash.slice(1)).get('link');
  if (link === null) return kept(history).svcLink ?? kept(history).svcSession ?? null;
  history.replaceState(/^svc_h[lm]_/.test(link) ? { svcLink: link } : null, '', location.pathname);
  return link;
}

export function wasCodeSent(history: History): boolean {
  return kept(history).svcCodeSent ?? false;
}

export function keepCodeSent(history: History): void {
  history.replaceState({ ...kept(history), svcCodeSent: true }, '');
}

/**
 * Keeps the session of a link through reloads and visits to the bank, and gives the page an entry before it, so that the
 * phone's back button steps back on the page.
 */
export function keepSession(history: History, svcSession: string, isHosted: boolean): void {
  if (kept(history).svcSession === svcSession) return;
  const state: Kept = isHosted ? { svcSession } : { svcSession, svcFromMail: true };
  history.replaceState(state, '');
  history.pushState(state, '');
}

/** Whether the session that is kept began with a hosted link, and not with one in an email about a plan. */
export function isHostedSession(history: History): boolean {
  return !kept(history).svcFromMail;
}

function kept(history: History): Kept {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}
