/** How mails look for one partner portal. */
export interface MailBrand {
  /** The portal's name as its residents know it. Empty if it has none. */
  readonly name: string;
  /** Of the button: a CSS color. */
  readonly accent: string;
  /** Of text on `accent`, with a contrast of at least 4.5 : 1. */
  readonly onAccent: string;
  /** Where mail programs load the portal's logo from; null to show the name. */
  readonly logoUrl: string | null;
}

/** The look of a portal that has stored none. */
export function defaultBrand(portal: { readonly name: string; readonly pms: string }): MailBrand {
  // A partner without a name is stored with its technical id, which residents have never seen.
  const name = portal.name === portal.pms ? '' : portal.name;
  return { name, accent: '#0f766e', onAccent: '#ffffff', logoUrl: null };
}
