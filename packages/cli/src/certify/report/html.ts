import type {
  CertificationCaseOutput,
  CertificationOutput,
  CertificationStep,
} from '@svc/contract';
import { areaTitles, durationOf } from './case-lines.ts';
import { escapeXml } from './junit.ts';
import { outcomeOf } from './outcome-of.ts';

/** Renders the report as one page that loads nothing and runs no script. */
export function renderHtml(run: CertificationOutput): string {
  const { tone, headline } = looks[outcomeOf(run)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${headline} · svc certify</title>
<style>${css}</style>
</head>
<body>
<main>
<header class="hero ${tone}">
<p class="eyebrow">svc certify</p>
<h1>${icon(tone)}${headline}</h1>
<p class="verdict">${escapeXml(run.verdict ?? 'The run is not finished.')}</p>
<ul class="counts">${renderCounts(run.cases)}</ul>
</header>
<dl class="facts">
${fact('Run', run.id)}
${fact('Finished', timeOf(run.finished_at ?? run.last_step_at))}
${fact('Service', run.service_version)}
${fact('Receiver', run.endpoint_url)}
${fact('Tenant query', run.tenant_query_url ?? 'none')}
${fact('Signed', run.signed_report ? `with key ${run.signed_report.key_id}` : 'not yet')}
</dl>
${renderSections(run.cases)}
<footer>To check the signature: <code>svc certify verify certify.json</code>. Results of the page are reported by the CLI that opened it.</footer>
</main>
</body>
</html>
`;
}

const looks = {
  passed: { tone: 'pass', headline: 'The integration works' },
  incomplete: { tone: 'skipped', headline: 'What was run works' },
  failed: { tone: 'fail', headline: 'Something needs to be fixed' },
} as const;

const toneLabels = {
  pass: 'passed',
  warn: 'with a warning',
  fail: 'failed',
  skipped: 'not run',
} as const;
type Tone = keyof typeof toneLabels;

const toneOf = ({ status }: CertificationCaseOutput): Tone =>
  Object.hasOwn(toneLabels, status) ? (status as Tone) : 'skipped';

function renderCounts(cases: readonly CertificationCaseOutput[]): string {
  return (Object.keys(toneLabels) as Tone[])
    .map((tone) => ({ tone, count: cases.filter((it) => toneOf(it) === tone).length }))
    .filter(({ count }) => count > 0)
    .map(({ tone, count }) => `<li class="${tone}"><b>${count}</b> ${toneLabels[tone]}</li>`)
    .join('');
}

function fact(name: string, value: string): string {
  return `<div><dt>${name}</dt><dd>${escapeXml(value)}</dd></div>`;
}

/** Renders the cases that need work, failures before warnings, and then the others by area. */
function renderSections(cases: readonly CertificationCaseOutput[]): string {
  const failed = cases.filter((it) => toneOf(it) === 'fail');
  const warned = cases.filter((it) => toneOf(it) === 'warn');
  const toFix = [...failed, ...warned];
  const areas = [...new Set(cases.map(({ area }) => area))].map((area) => {
    const all = cases.filter((it) => it.area === area);
    const passed = all.filter(({ status }) => status === 'pass' || status === 'warn').length;
    const others = all.filter((it) => !toFix.includes(it));
    return renderSection(areaTitles[area] ?? area, others, `${passed} of ${all.length} passed`);
  });
  return [renderSection('To fix', toFix, `${toFix.length} of ${cases.length}`), ...areas].join(
    '\n',
  );
}

function renderSection(
  title: string,
  cases: readonly CertificationCaseOutput[],
  count: string,
): string {
  if (cases.length === 0) return '';
  return `<section>
<h2>${escapeXml(title)} <span>${count}</span></h2>
<div class="cases">
${cases.map(renderCase).join('\n')}
</div>
</section>`;
}

function renderCase(it: CertificationCaseOutput): string {
  const tone = toneOf(it);
  const took = it.duration_in_ms === null ? '' : durationOf(it.duration_in_ms);
  return `<details class="case ${tone}" id="${escapeXml(it.name)}"${tone === 'fail' || tone === 'warn' ? ' open' : ''}>
<summary>${icon(tone)}<span class="title">${escapeXml(it.title)}<code>${escapeXml(it.name)}</code></span><span class="took">${took}</span></summary>
<div class="body">
${it.summary ? `<p>${escapeXml(it.summary)}</p>` : ''}
${it.cause || it.fix ? `<dl class="advice">${advice('Cause', it.cause)}${advice('Fix', it.fix)}</dl>` : ''}
${docsLink(it.docs_url)}
${it.steps.length === 0 ? '' : `<ol class="steps">${it.steps.map(renderStep).join('\n')}</ol>`}
</div>
</details>`;
}

function advice(name: string, text: string | null): string {
  return text ? `<dt>${name}</dt><dd>${escapeXml(text)}</dd>` : '';
}

function docsLink(url: string | null): string {
  if (url === null || !/^https?:\/\//.test(url)) return '';
  return `<p><a href="${escapeXml(url)}" rel="noreferrer">Read about it in the docs</a></p>`;
}

function renderStep({
  title,
  detail,
  request,
  response,
  duration_in_ms,
}: CertificationStep): string {
  const took = duration_in_ms === null ? '' : durationOf(duration_in_ms);
  const status = response
    ? `<span class="status s${Math.floor(response.status / 100)}">${response.status}</span>`
    : '';
  const head = `<span class="title">${escapeXml(title)}</span>${status}<span class="took">${took}</span>`;
  const note = detail ? `<p class="quiet">${escapeXml(detail)}</p>` : '';
  if (!request && !response) return `<li><div class="line">${head}</div>${note}</li>`;
  return `<li><details><summary class="line">${head}</summary>
${request ? renderMessage(`${request.method} ${request.url}`, request) : ''}
${response ? renderMessage(`Answered ${response.status}`, response) : ''}
</details>${note}</li>`;
}

function renderMessage(
  title: string,
  { headers, body }: { headers: Readonly<Record<string, string>>; body: string | null },
): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return `<p class="message">${escapeXml(title)}</p>
<pre tabindex="0">${escapeXml([...lines, ...(body ? ['', readable(body)] : [])].join('\n'))}</pre>`;
}

/** Formats JSON with line breaks. Returns anything else as it is. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Formats an instant such as `2026-02-01 18:02 UTC`. */
function timeOf(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`;
}

const iconPaths: Readonly<Record<Tone, string>> = {
  pass: 'm6 10.4 2.6 2.6L14 7.4',
  warn: 'M10 5.8v5M10 13.8v.2',
  fail: 'm7 7 6 6M13 7l-6 6',
  skipped: 'M6.5 10h7',
};

function icon(tone: Tone): string {
  return `<svg class="icon ${tone}" viewBox="0 0 20 20" role="img" aria-label="${toneLabels[tone]}"><circle cx="10" cy="10" r="9"/><path d="${iconPaths[tone]}"/></svg>`;
}

const css = `
:root{color-scheme:light dark;--page:#f7f8fa;--card:#fff;--line:#e4e7ec;--text:#1d2433;--quiet:#5d6679;--code:#f2f4f7;--link:#2b59c3;--pass:#067647;--passed:#e7f6ee;--warn:#9a6200;--warned:#fdf3dd;--fail:#b42318;--failed:#fdecea;--skipped:#667085;--left:#eef0f4}
@media (prefers-color-scheme:dark){:root{--page:#0f131a;--card:#171c26;--line:#2a3140;--text:#e6e9f0;--quiet:#9aa4b8;--code:#10151e;--link:#8fb0ff;--pass:#5fd19a;--passed:#12291f;--warn:#f0bd5e;--warned:#2d2411;--fail:#ff9489;--failed:#33191a;--skipped:#98a2b3;--left:#222936}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{max-width:56rem;margin:0 auto;padding:3rem 1.25rem 4rem}
code,pre,.message{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
p{margin:.5rem 0}
a{color:var(--link)}
.eyebrow{margin:0;color:var(--quiet);font-size:.875rem;font-weight:600;letter-spacing:.02em}
h1{display:flex;gap:.75rem;align-items:center;margin:.25rem 0 .5rem;font-size:clamp(1.6rem,5vw,2.25rem);line-height:1.2;letter-spacing:-.02em;text-wrap:balance}
h1 .icon{width:2rem;height:2rem}
.verdict{margin:0;color:var(--quiet);font-size:1.0625rem}
.counts{display:flex;flex-wrap:wrap;gap:.5rem;margin:1.25rem 0 0;padding:0;list-style:none}
.counts li{padding:.25rem .75rem;border-radius:99px;font-size:.875rem}
.counts .pass{background:var(--passed);color:var(--pass)}
.counts .warn{background:var(--warned);color:var(--warn)}
.counts .fail{background:var(--failed);color:var(--fail)}
.counts .skipped{background:var(--left);color:var(--quiet)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem 2rem;margin:2rem 0 0;padding:1.25rem 0;border-block:1px solid var(--line)}
.facts dt{color:var(--quiet);font-size:.8125rem}
.facts dd{margin:0;overflow-wrap:anywhere;font-size:.9375rem}
h2{display:flex;justify-content:space-between;align-items:baseline;margin:2.5rem 0 .75rem;font-size:1.125rem;letter-spacing:-.01em}
h2 span{color:var(--quiet);font-size:.875rem;font-weight:400}
.cases{border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden}
.case+.case{border-top:1px solid var(--line)}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary:focus-visible,pre:focus-visible,a:focus-visible{outline:2px solid var(--link);outline-offset:-2px;border-radius:8px}
.case>summary{display:flex;gap:.75rem;align-items:flex-start;padding:.8rem 1rem}
.case>summary:hover{background:color-mix(in srgb,var(--line) 35%,transparent)}
.title{flex:1;min-width:0;overflow-wrap:anywhere}
.title code{display:block;color:var(--quiet);font-size:.8125rem}
.took{flex:none;color:var(--quiet);font-size:.8125rem;font-variant-numeric:tabular-nums;line-height:1.5rem}
.icon{flex:none;width:1.25rem;height:1.25rem;margin-top:.125rem;fill:none;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.icon circle{stroke:none}
.icon.pass{stroke:var(--pass)}.icon.pass circle{fill:var(--passed)}
.icon.warn{stroke:var(--warn)}.icon.warn circle{fill:var(--warned)}
.icon.fail{stroke:var(--fail)}.icon.fail circle{fill:var(--failed)}
.icon.skipped{stroke:var(--skipped)}.icon.skipped circle{fill:var(--left)}
.case.skipped .title{color:var(--quiet)}
.body{padding:0 1rem 1rem 3rem;font-size:.9375rem;overflow-wrap:anywhere}
.body>p:first-child{margin-top:0}
.advice{display:grid;grid-template-columns:auto 1fr;gap:.375rem 1rem;margin:.75rem 0;padding:.75rem 1rem;border-radius:8px;background:var(--left)}
.case.fail .advice{background:var(--failed)}
.case.warn .advice{background:var(--warned)}
.advice dt{font-weight:600}
.advice dd{margin:0}
.steps{margin:1rem 0 0;padding:0;list-style:none;border-top:1px solid var(--line)}
.steps li{padding:.375rem 0;border-bottom:1px solid var(--line)}
.line{display:flex;gap:.75rem;align-items:baseline;font-size:.875rem}
details>.line .title::before{content:"";display:inline-block;width:.4rem;height:.4rem;margin-right:.5rem;border:solid var(--quiet);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg) translateY(-1px)}
details[open]>.line .title::before{transform:rotate(45deg) translate(-1px,-2px)}
.line .took{line-height:inherit}
.status{flex:none;padding:0 .4rem;border-radius:4px;background:var(--left);color:var(--quiet);font-size:.8125rem;font-variant-numeric:tabular-nums}
.status.s2{background:var(--passed);color:var(--pass)}
.status.s4,.status.s5{background:var(--failed);color:var(--fail)}
.quiet{margin:.125rem 0;color:var(--quiet);font-size:.8125rem}
.message{margin:.75rem 0 .25rem;font-size:.8125rem;overflow-wrap:anywhere}
pre{max-height:22rem;margin:0;padding:.75rem;border-radius:8px;background:var(--code);overflow:auto;font-size:.8125rem;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
footer{margin-top:3rem;color:var(--quiet);font-size:.875rem}
@media (max-width:36rem){main{padding-top:1.75rem}.body{padding-left:1rem}.advice{grid-template-columns:1fr;gap:0}.advice dd+dt{margin-top:.5rem}}
@media print{body{background:#fff}.cases{break-inside:auto}.case{break-inside:avoid}}
`;
