import { createHash } from 'node:crypto';
import {
  type AppearanceOutput,
  adjustedAccents,
  defaultAccent,
  deriveAccent,
  type FontName,
  fontNames,
  type Scheme,
  type StoredAppearance,
} from '@svc/contract';
import {
  bytes,
  integer,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { reportedText } from '../../words/reported-text.ts';
import type { PartnerActor } from '../access/actor.ts';
import { checkWoff2 } from './check-woff2.ts';
import { readPng } from './read-png.ts';

/** The kinds of files in `partner_file`, with the ending of their addresses. */
const endings = { logo: 'png', font: 'woff2' } as const;
export type FileKind = keyof typeof endings;

/** How many replaced files of a kind are kept, for mails that show them. */
const mostReplaced = 8;

const appearanceRow = row('appearance', {
  pms: text,
  accent: nullable(text),
  radius: nullable(integer),
  font: nullable(text),
  theme: oneOf('light', 'dark', 'auto'),
  logo: nullable(bytes),
  width: nullable(integer),
  height: nullable(integer),
  fontFile: nullable(bytes),
});

/**
 * Reads a partner's brand, with our defaults as null. Addresses of files are paths; mails and the API
 * put the public origin before them.
 */
export async function readAppearance(q: Queryable, partnerId: string): Promise<StoredAppearance> {
  const found = await q.one(
    appearanceRow,
    sql`
    select p.pms, a.accent, a.radius, a.font, coalesce(a.theme, 'auto') as theme,
      l.sha256 as logo, l.width, l.height, f.sha256 as font_file
    from partner p
    left join partner_appearance a on a.partner_id = p.id
    left join partner_file l
      on l.partner_id = p.id and l.kind = 'logo' and l.replaced_at is null
    left join partner_file f
      on f.partner_id = p.id and f.kind = 'font' and f.replaced_at is null
    where p.id = ${partnerId}`,
  );
  return describe(found);
}

const printBrandRow = row('brand for print', {
  pms: text,
  name: text,
  accent: nullable(text),
  logo: nullable(bytes),
  width: nullable(integer),
  height: nullable(integer),
});

/** Reads the brand for a document on white paper. The logo's bytes are a PNG that `readPng` has accepted. */
export async function readPrintBrand(q: Queryable, partnerId: string) {
  const { pms, name, accent, logo, width, height } = await q.one(
    printBrandRow,
    sql`
    select p.pms, p.name, a.accent, l.bytes as logo, l.width, l.height
    from partner p
    left join partner_appearance a on a.partner_id = p.id
    left join partner_file l
      on l.partner_id = p.id and l.kind = 'logo' and l.replaced_at is null
    where p.id = ${partnerId}`,
  );
  return {
    // A partner without a name is stored with its technical id, which residents have never seen.
    name: name === pms ? '' : reportedText(name.slice(0, 60)),
    accent: deriveAccent(accent ?? defaultAccent.light).light.accent,
    logo:
      logo === null || width === null || height === null ? null : { bytes: logo, width, height },
  };
}

function describe(found: RowOf<typeof appearanceRow>): StoredAppearance {
  const { pms, accent, radius, theme, logo, width, height, fontFile } = found;
  return {
    accent,
    radius,
    theme,
    // A service of a later release may have stored a font that this one does not know.
    font: fontNames.find((name): name is FontName => name === found.font) ?? null,
    logo:
      logo === null || width === null || height === null
        ? null
        : { url: pathOf(pms, 'logo', logo), width, height },
    font_file: fontFile === null ? null : { url: pathOf(pms, 'font', fontFile) },
  };
}

function pathOf(pms: string, kind: FileKind, sha256: Buffer): string {
  return `/brand/${pms}/${sha256.toString('hex')}.${endings[kind]}`;
}

/** Reads the appearance before a change, and locks the partner's row for it. */
export async function lockAppearance(ctx: Ctx<PartnerActor>): Promise<StoredAppearance> {
  await ctx.tx.run(sql`select from partner where id = ${ctx.actor.partnerId} for no key update`);
  return readAppearance(ctx.tx, ctx.actor.partnerId);
}

export async function getAppearance(ctx: Ctx<PartnerActor>): Promise<AppearanceOutput> {
  return outputOf(ctx, await readAppearance(ctx.tx, ctx.actor.partnerId));
}

/** Replaces all settings; the files stay. */
export async function setAppearance(
  ctx: Ctx<PartnerActor>,
  input: Pick<StoredAppearance, 'accent' | 'radius' | 'font' | 'theme'>,
): Promise<AppearanceOutput> {
  const { accent, radius, font, theme } = input;
  await ctx.tx.run(sql`
    insert into partner_appearance (partner_id, accent, radius, font, theme, updated_at)
    values (${ctx.actor.partnerId}, ${accent}, ${radius}, ${font}, ${theme}, ${ctx.now})
    on conflict (partner_id) do update set accent = excluded.accent, radius = excluded.radius,
      font = excluded.font, theme = excluded.theme, updated_at = excluded.updated_at`);
  return getAppearance(ctx);
}

/**
 * Stores the partner's logo. Await `checkPixels` before the transaction.
 * @throws Refusal `validation_failed` for a file that is not a plain PNG of a bounded size
 */
export async function setLogo(ctx: Ctx<PartnerActor>, file: Uint8Array): Promise<AppearanceOutput> {
  const { bytes, width, height } = readPng(file);
  return storeFile(ctx, { kind: 'logo', bytes, width, height });
}

/** @throws Refusal `validation_failed` for a file that is not WOFF2 */
export async function setFont(ctx: Ctx<PartnerActor>, file: Uint8Array): Promise<AppearanceOutput> {
  return storeFile(ctx, { kind: 'font', bytes: checkWoff2(file), width: null, height: null });
}

interface NewFile {
  readonly kind: FileKind;
  readonly bytes: Buffer;
  readonly width: number | null;
  readonly height: number | null;
}

/** Puts the file in use. A file that is uploaded again, even one that was replaced, is stored only once. */
async function storeFile(
  ctx: Ctx<PartnerActor>,
  { kind, bytes, width, height }: NewFile,
): Promise<AppearanceOutput> {
  const { tx, now, actor } = ctx;
  const sha256 = createHash('sha256').update(bytes).digest();
  await tx.run(sql`
    update partner_file set replaced_at = ${now}
    where partner_id = ${actor.partnerId} and kind = ${kind} and replaced_at is null
      and sha256 <> ${sha256}`);
  await tx.run(sql`
    insert into partner_file (partner_id, kind, sha256, bytes, width, height, uploaded_at)
    values (${actor.partnerId}, ${kind}, ${sha256}, ${bytes}, ${width}, ${height}, ${now})
    on conflict (partner_id, kind, sha256) do update set replaced_at = null`);
  await tx.run(sql`
    delete from partner_file where partner_id = ${actor.partnerId} and kind = ${kind}
      and sha256 in (
        select sha256 from partner_file
        where partner_id = ${actor.partnerId} and kind = ${kind} and replaced_at is not null
        order by replaced_at desc offset ${mostReplaced})`);
  return getAppearance(ctx);
}

/** Removes the file in use and the replaced ones: their addresses stop working. */
export async function removeFile(
  ctx: Ctx<PartnerActor>,
  kind: FileKind,
): Promise<AppearanceOutput> {
  await ctx.tx.run(sql`
    delete from partner_file where partner_id = ${ctx.actor.partnerId} and kind = ${kind}`);
  return getAppearance(ctx);
}

/** Returns the part of a mail's look that a partner stores. */
export function mailBrandOf(stored: StoredAppearance, publicOrigin: string) {
  const { logo } = stored;
  return {
    light: buttonColorsOf(stored, 'light'),
    dark: buttonColorsOf(stored, 'dark'),
    logo: logo && { ...logo, url: publicOrigin + logo.url },
  };
}

function buttonColorsOf({ accent: stored }: StoredAppearance, scheme: Scheme) {
  const { accent, onAccent } = deriveAccent(stored ?? defaultAccent[scheme])[scheme];
  return { accent, onAccent };
}

const fileRow = row('file of a partner', { bytes });

/** Finds a logo or font by the name in its address, `<sha256>.png` or `<sha256>.woff2`. */
export async function findFile(
  q: Queryable,
  partnerId: string,
  name: string,
): Promise<{ kind: FileKind; bytes: Buffer } | undefined> {
  const [, hash, ending] = /^([0-9a-f]{64})\.(png|woff2)$/.exec(name) ?? [];
  if (hash === undefined) return undefined;
  const kind = ending === endings.logo ? 'logo' : 'font';
  const found = await q.maybe(
    fileRow,
    sql`
    select bytes from partner_file
    where partner_id = ${partnerId} and kind = ${kind} and sha256 = ${Buffer.from(hash, 'hex')}`,
  );
  return found && { kind, bytes: found.bytes };
}

function outputOf({ service }: Ctx, stored: StoredAppearance): AppearanceOutput {
  const { logo, font_file } = stored;
  return {
    ...stored,
    logo: logo && { ...logo, url: service.publicOrigin + logo.url },
    font_file: font_file && { url: service.publicOrigin + font_file.url },
    colors: { light: colorsOf(stored, 'light'), dark: colorsOf(stored, 'dark') },
    warnings: stored.accent === null ? [] : warningsOf(stored.accent),
  };
}

function colorsOf({ accent }: StoredAppearance, scheme: Scheme) {
  const derived = deriveAccent(accent ?? defaultAccent[scheme])[scheme];
  const { onAccent: on_accent, hover, ink, tint } = derived;
  return { accent: derived.accent, on_accent, hover, ink, tint };
}

function warningsOf(accent: string): AppearanceOutput['warnings'] {
  return adjustedAccents(accent).map(({ scheme, used }) => ({
    code: 'accent_adjusted',
    theme: scheme,
    used,
    message: `${accent} has too little contrast on ${scheme} pages, so ${used} is used there: the same hue, ${scheme === 'light' ? 'darker' : 'lighter'}.`,
  }));
}
