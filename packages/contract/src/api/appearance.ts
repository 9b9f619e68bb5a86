import { z } from 'zod';
import { deriveAccent } from '../accent.ts';
import { accentPattern, fontNames, largestRadius } from '../appearance.ts';
import { extensible, field, loggedField, named } from '../describe-schema.ts';

/** The largest uploads, in bytes: 64 kB for a logo, 200 kB for a font. */
export const largestLogo = 65_536;
export const largestFont = 204_800;
/** The longest side of a logo, in px. */
export const largestLogoSide = 1024;

const themes = ['light', 'dark', 'auto'] as const;

const settings = {
  accent: loggedField(
    z
      .string()
      .regex(accentPattern, { error: 'must be a color such as "#1d4ed8"' })
      .transform((color) => color.toLowerCase())
      .nullable(),
    'The color of buttons, links and progress. Null: ours.',
    '#1d4ed8',
  ),
  radius: loggedField(
    z.int().min(0).max(largestRadius).nullable(),
    'Of buttons and fields in px; cards and dialogs follow. Null: 8.',
    8,
  ),
  font: loggedField(
    z.enum(fontNames).nullable(),
    'Fonts that the tenant’s system brings along. An uploaded font comes first.',
    null,
  ),
  theme: loggedField(
    z.enum(themes),
    '`auto` follows your page, or the system outside of it.',
    'auto',
  ),
};

export const appearanceInput = named(
  'AppearanceInput',
  'Replaces all of it: a field that is left out gets its default.',
  z.strictObject({
    accent: settings.accent.default(null),
    radius: settings.radius.default(null),
    font: settings.font.default(null),
    theme: settings.theme.default('auto'),
  }),
);
export type AppearanceInput = z.input<typeof appearanceInput>;

const exampleAccent = '#1d4ed8';

function exampleColors(theme: 'light' | 'dark') {
  const { accent, onAccent, hover, ink, tint } = deriveAccent(exampleAccent)[theme];
  return { accent, on_accent: onAccent, hover, ink, tint };
}

const color = z.string();
const colors = named(
  'AppearanceColors',
  'The colors that follow from the accent, each as #rrggbb.',
  z.object({
    accent: field(color, 'The accent.', exampleAccent),
    on_accent: field(color, 'Text on the accent.', '#ffffff'),
    hover: field(color, 'The accent under the pointer.', exampleColors('light').hover),
    ink: field(color, 'The accent as text on the page.', exampleColors('light').ink),
    tint: field(color, 'The background of selected options.', exampleColors('light').tint),
  }),
);

export const appearanceOutput = named(
  'Appearance',
  'Your brand: in the experience, mails and documents.',
  z.object({
    accent: field(
      color.nullable(),
      'The color of buttons, links and progress. Null: ours.',
      '#1d4ed8',
    ),
    radius: field(z.int().nullable(), 'Of buttons and fields in px. Null: 8.', 8),
    font: settings.font,
    theme: settings.theme,
    logo: field(
      named(
        'Logo',
        'Your logo.',
        z.object({
          url: field(
            z.string(),
            'Where it is served. The address contains a hash of the file, so it changes with the file.',
            'https://sandbox.svc.example/brand/logo.png',
          ),
          width: field(z.int(), 'In px.', 320),
          height: field(z.int(), 'In px.', 80),
        }),
      ).nullable(),
      'Your logo. Null if you have uploaded none.',
    ),
    font_file: field(
      named(
        'FontFile',
        'Your font.',
        z.object({
          url: field(
            z.string(),
            'Where it is served. The address contains a hash of the file, so it changes with the file.',
            'https://sandbox.svc.example/brand/font.woff2',
          ),
        }),
      ).nullable(),
      'Your font. Null if you have uploaded none.',
    ),
    colors: field(
      named(
        'AppearanceThemes',
        'The colors on light and on dark pages.',
        z.object({
          light: field(colors, 'On light pages.'),
          dark: field(colors, 'On dark pages.'),
        }),
        { light: exampleColors('light'), dark: exampleColors('dark') },
      ),
      'What follows from the accent on light and on dark pages.',
    ),
    warnings: field(
      z.array(
        named(
          'AppearanceWarning',
          'A place where the accent has too little contrast.',
          z.object({
            code: field(
              extensible(z.enum(['accent_adjusted'])),
              'The kind of warning.',
              'accent_adjusted',
            ),
            theme: field(z.enum(['light', 'dark']), 'The theme it is about.', 'light'),
            used: field(color, 'The color that is used instead.', '#a16207'),
            message: field(
              z.string(),
              'What is wrong, for people.',
              'The accent is too light to read; a darker one is used.',
            ),
          }),
        ),
      ),
      'Where the accent has too little contrast, and the color used instead.',
      [],
    ),
  }),
);
export type AppearanceOutput = z.infer<typeof appearanceOutput>;

/** The body of an upload: the bytes of the file and nothing else. */
export const fileInput = z.instanceof(Uint8Array, {
  error: 'must be the file, not JSON or a form',
});
