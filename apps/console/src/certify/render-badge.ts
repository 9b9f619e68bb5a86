import type { CertificationSummary } from '../api/certifications.ts';

/**
 * Renders a badge for a README: the result with the service's version and the day. The CLI cannot import this
 * code and has its own copy; a test compares the two.
 */
export function renderBadge({
  state,
  service_version,
  finished_at,
  last_step_at,
}: Pick<
  CertificationSummary,
  'state' | 'service_version' | 'finished_at' | 'last_step_at'
>): string {
  const result = state === 'passed' || state === 'failed' ? state : 'incomplete';
  const day = (finished_at ?? last_step_at).slice(0, 10);
  const label = 'svc certify';
  const text = `${result} · ${service_version} · ${day}`.replace(/[<>&"']/g, '');
  const left = widthOf(label);
  const right = widthOf(text);
  const title = `${label}: ${text}`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}">
  <title>${title}</title>
  <clipPath id="round"><rect width="${left + right}" height="20" rx="4"/></clipPath>
  <g clip-path="url(#round)">
    <rect width="${left}" height="20" fill="#344054"/>
    <rect x="${left}" width="${right}" height="20" fill="${colors[result]}"/>
  </g>
  <g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
    <text x="${left / 2}" y="14">${label}</text>
    <text x="${left + right / 2}" y="14">${text}</text>
  </g>
</svg>
`;
}

const colors = { passed: '#027a48', incomplete: '#667085', failed: '#b42318' } as const;

/** Returns the width in pixels. A character of 11 px Verdana is about 6.6 px wide. */
const widthOf = (text: string) => Math.round(text.length * 6.6) + 14;
