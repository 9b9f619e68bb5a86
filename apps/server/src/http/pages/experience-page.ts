import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isExactOrigin, type StoredAppearance } from '@svc/contract';
import type { Service } from '../../context.ts';
import { escapeHtml } from '../../domain/escape-html.ts';
import { widgetOrigins } from '../../domain/partners/allowed-origins.ts';
import type { Partner } from '../../domain/partners/find-partner.ts';

/** Reads the built page and fills in the partner's origins, the environment and the lender. */
export async function experiencePage(
  folder: string,
  service: Service,
  partner: Partner,
  appearance: StoredAppearance,
): Promise<string> {
  return fillPage(join(folder, 'index.html'), {
    'svc-allowed-origins': allowedOrigins(service, partner).join(' '),
    'svc-environment': service.environment,
    'svc-lender': service.creditor.name,
    'svc-lender-address': service.creditor.address,
    'svc-support': service.creditor.supportEmail,
    // A partner without a name is stored with its technical id, which tenants have never seen.
    'svc-partner': partner.name === partner.pms ? '' : partner.name,
    'svc-appearance': JSON.stringify(appearance),
  });
}

/** The page of a view of the console in a frame, which only stored origins may show. */
export function consoleFramePage(
  folder: string,
  { allowedOrigins }: Partner,
  appearance: StoredAppearance,
): Promise<string> {
  return fillPage(join(folder, 'frame.html'), {
    'svc-allowed-origins': allowedOrigins.filter(isExactOrigin).join(' '),
    'svc-appearance': JSON.stringify(appearance),
  });
}

export function storedAncestors({ allowedOrigins }: Partner): string {
  return allowedOrigins.filter(isExactOrigin).join(' ') || "'none'";
}

async function fillPage(file: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const html = await readFile(file, 'utf8');
  return Object.entries(settings).reduce(
    (page, [name, content]) => fillPlaceholder(page, name, content),
    html,
  );
}

/** The origins that may frame the experience: the partner's. If it has none, any in the sandbox, none in production. */
export function frameAncestors(service: Service, partner: Partner): string {
  const origins = allowedOrigins(service, partner);
  if (origins.length === 0) return "'none'";
  if (origins.includes('*')) return 'http: https:';
  // In the sandbox our console shows what tenants see.
  return [...(service.environment === 'sandbox' ? ["'self'"] : []), ...origins].join(' ');
}

function allowedOrigins(service: Service, partner: Partner): readonly string[] {
  const origins = widgetOrigins(service, partner.allowedOrigins, partner.appSchemes);
  // Old rows may hold wildcards, from before they were refused. They allow nothing.
  if (origins.length > 0) return origins.filter(isExactOrigin);
  return service.environment === 'sandbox' ? ['*'] : [];
}

function fillPlaceholder(html: string, name: string, content: string): string {
  const meta = new RegExp(`(<meta name="${name}" content=")[^"]*(")`);
  return html.replace(meta, (_, head, tail) => head + escapeHtml(content) + tail);
}

/** Hashes of a page's inline scripts and styles, which its Content-Security-Policy allows. */
export function inlineHashes(html: string): { scripts: string[]; styles: string[] } {
  return {
    scripts: hashesOf(html, /<script>(.*?)<\/script>/gs),
    styles: hashesOf(html, /<style>(.*?)<\/style>/gs),
  };
}

function hashesOf(html: string, inline: RegExp): string[] {
  return [...html.matchAll(inline)].map(([, text = '']) => {
    const hash = createHash('sha256').update(text).digest('base64');
    return `'sha256-${hash}'`;
  });
}
