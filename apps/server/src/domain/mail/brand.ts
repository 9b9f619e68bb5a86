/** How mails look for one partner portal. */
export interface MailBrand {
  /** The portal's name as its residents know it. Empty if it has none. */
  readonly name: string;
  /** Also for mail programs that ignore the colors for dark screens. */
  readonly light: ButtonColors;
  readonly dark: ButtonColors;
  /** Mail programs load it from `url`. Null to show the name. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null;
}

/** CSS colors. */
interface ButtonColors {
  readonly accent: string;
  /** The color of text on `accent`, with a contrast of at least 4.5 : 1. */
  readonly onAccent: string;
}

/** The look of a portal that has stored none. */
export function defaultBrand(portal: { readonly name: string; readonly pms: string }): MailBrand {
  // A partner without a name is stored with its technical id, which residents have never seen.
  const name = portal.name === portal.pms ? '' : portal.name;
  return {
    name,
    light: { accent: '#0f766e', onAccent: '#ffffff' },
    dark: { accent: '#2dd4bf', onAccent: '#000000' },
    logo: null,
  };
}
