import type { CertificationCaseOutput, CertificationOutput } from '@svc/contract';

/** Renders the report as JUnit XML for CI systems. A warning passes, and is written to system-out. */
export function renderJUnit({ id, cases }: CertificationOutput): string {
  const areas = [...new Set(cases.map(({ area }) => area))];
  const suites = areas.map((area) =>
    renderSuite(
      area,
      cases.filter((it) => it.area === area),
    ),
  );
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="svc certify ${escapeXml(id)}" ${countsOf(cases)}>
${suites.join('\n')}
</testsuites>
`;
}

function renderSuite(area: string, cases: readonly CertificationCaseOutput[]): string {
  return `  <testsuite name="${escapeXml(area)}" ${countsOf(cases)}>
${cases.map((it) => renderCase(area, it)).join('\n')}
  </testsuite>`;
}

function renderCase(area: string, it: CertificationCaseOutput): string {
  const name = `${it.name}: ${it.title}`;
  const head = `    <testcase classname="svc.${escapeXml(area)}" name="${escapeXml(name)}" time="${seconds(it)}"`;
  const advice = [it.cause && `Cause: ${it.cause}`, it.fix && `Fix: ${it.fix}`, it.docs_url];
  const text = escapeXml([it.summary, ...advice].filter(Boolean).join('\n'));
  switch (it.status) {
    case 'pass':
      return `${head}/>`;
    case 'warn':
      return `${head}><system-out>${text}</system-out></testcase>`;
    case 'fail':
      return `${head}><failure message="${escapeXml(it.summary ?? '')}">${text}</failure></testcase>`;
    default:
      return `${head}><skipped message="${escapeXml(it.summary ?? 'Not run.')}"/></testcase>`;
  }
}

function countsOf(cases: readonly CertificationCaseOutput[]): string {
  const failures = cases.filter(({ status }) => status === 'fail').length;
  const skipped = cases.filter(({ status }) => status === 'skipped' || status === 'pending').length;
  const time = cases.reduce((sum, it) => sum + (it.duration_in_ms ?? 0), 0) / 1000;
  return `tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}" time="${time.toFixed(3)}"`;
}

const seconds = (it: CertificationCaseOutput) => ((it.duration_in_ms ?? 0) / 1000).toFixed(3);

const entities: Readonly<Record<string, string>> = {
  '<': '&lt;',
  '>': '&gt;',
  '&': '&amp;',
  '"': '&quot;',
  "'": '&#39;',
};

// XML has no way to write most control characters, lone surrogates and two others. Marks of direction
// could make a reader see another text than the one that is there.
const unwritable =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufffe\uffff]/g;

/** Escapes untrusted text for XML, HTML or SVG, as an element's text or in a quoted attribute. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(unwritable, '\ufffd')
    .replace(/[<>&"']/g, (character) => entities[character] ?? character);
}
