import { z } from 'zod';
import { accentPattern, fontNames, largestRadius } from '../appearance.ts';

/** In bytes: 64 kB for a logo, 200 kB for a font. */
export const largestLogo = 65_536;
export const largestFont = 204_800;
/** In px, of each side of a logo. */
export const largestLogoSide = 1024;

const themes = ['light', 'dark', 'auto'] as const;

const settings = {
  accent: z
    .string()
    .regex(accentPattern, { error: 'must be a color such as "#1d4ed8"' })
    .transform((color) => color.toLowerCase())
    .nullable()
    .describe('The color of buttons, links and progress. Null: ours.'),
  radius: z
    .int()
    .min(0)
    .max(largestRadius)
    .nullable()
    .describe('Of buttons and fields in px; cards and dialogs follow. Null: 8.'),
  font: z
    .enum(fontNames)
    .nullable()
    .describe('Fonts that the tenant’s system brings along. An uploaded font comes first.'),
  theme: z.enum(themes).describe('`auto` follows your page, or the system outside of it.'),
};

export const appearanceInput = z
  .strictObject({
    accent: settings.accent.default(null),
    radius: settings.radius.default(null),
    font: settings.font.default(null),
    theme: settings.theme.default('auto'),
  })
  .describe('Replaces all of it: a field that is left out gets its default.');
export type AppearanceInput = z.input<typeof appearanceInput>;

const color = z.string().describe('#rrggbb');
const colors = z.object({
  accent: color,
  on_accent: color.describe('Text on the accent.'),
  hover: color,
  ink: color.describe('The accent as text on the page.'),
  tint: color.describe('The background of selected options.'),
});

export const appearanceOutput = z.object({
  accent: color.nullable(),
  radius: z.int().nullable(),
  font: settings.font,
  theme: settings.theme,
  logo: z
    .object({ url: z.string(), width: z.int(), height: z.int() })
    .nullable()
    .describe('Its address contains a hash of the file, so it changes with the file.'),
  font_file: z.object({ url: z.string() }).nullable(),
  colors: z
    .object({ light: colors, dark: colors })
    .describe('What follows from the accent on light and on dark pages.'),
  warnings: z
    .array(
      z.object({
        code: z.enum(['accent_adjusted']),
        theme: z.enum(['light', 'dark']),
        used: color,
        message: z.string(),
      }),
    )
    .describe('Where the accent has too little contrast, and the color used instead.'),
});
export type AppearanceOutput = z.infer<typeof appearanceOutput>;

/** The body of an upload: the file, nothing around it. */
export const fileInput = z.instanceof(Uint8Array, {
  error: 'must be the file, not JSON or a form',
});
