import type { CertificationOutput } from '@svc/contract';
import { escapeXml } from './junit.ts';
import { outcomeOf } from './outcome-of.ts';

/** Renders an SVG badge for a README: the result with the service's version and the day. */
export function renderBadge(run: CertificationOutput): string {
  const result = outcomeOf(run);
  const day = (run.finished_at ?? run.last_step_at).slice(0, 10);
  const label = 'svc certify';
  const text = `${result} · ${run.service_version} · ${day}`;
  const left = widthOf(label);
  const right = widthOf(text);
  const title = escapeXml(`${label}: ${text}`);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="round"><rect width="${left + right}" height="20" rx="4"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#344054"/>
    <rect x="${left}" width="${right}" height="20" fill="${colors[result]}"/>
  </g>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${label}</text>
    <text x="${left + right / 2}" y="14">${escapeXml(text)}</text>
  </g>
</svg>
`;
}

const colors = { passed: '#027a48', incomplete: '#667085', failed: '#b42318' } as const;

/** Verdana at 11 px has about 6.6 px for a character. */
const widthOf = (text: string) => Math.round(text.length * 6.6) + 14;
