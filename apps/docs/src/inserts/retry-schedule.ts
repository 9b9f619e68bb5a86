import { retrySchedule as waits } from '../../../../packages/webhooks/src/kernel/retry-schedule.ts';
import type { Insert } from './insert.ts';

const width = 720;
const margin = 44;
const axis = 84;

/** Shows the schedule of webhook attempts as a timeline with a logarithmic scale, and as a table. */
export function retrySchedule(): Insert {
  const attempts = waits.map((wait, index) => ({
    number: index + 1,
    wait,
    since: waits.slice(0, index + 1).reduce((sum, one) => sum + one, 0),
  }));
  const table = [
    '| Attempt | Wait before it | After the event |',
    '|---|---|---|',
    ...attempts.map(
      ({ number, wait, since }) =>
        `| ${number} | ${wait === 0 ? 'none' : duration(wait)} | ${since === 0 ? 'at once' : duration(since)} |`,
    ),
  ].join('\n');
  return { markdown: table, html: `${timeLine(attempts)}\n${tableHtml(attempts)}` };
}

interface Attempt {
  readonly number: number;
  readonly wait: number;
  readonly since: number;
}

function timeLine(attempts: readonly Attempt[]): string {
  const last = attempts.at(-1)?.since ?? 1;
  // To fit seconds and hours on one line, each factor of ten takes the same space.
  const scale = (milliseconds: number) =>
    margin +
    (Math.log10(1 + milliseconds / 1000) / Math.log10(1 + last / 1000)) * (width - 2 * margin);
  const marks = attempts.map(({ number, since }) => {
    const x = Math.round(scale(since));
    // Labels alternate above and below the line, and every second pair is farther away.
    const above = number % 2 === 1;
    const distance = number % 4 === 1 || number % 4 === 2 ? 28 : 50;
    const y = above ? axis - distance : axis + distance + 10;
    return [
      `<line class="tick" x1="${x}" x2="${x}" y1="${axis}" y2="${above ? y + 6 : y - 14}"/>`,
      `<circle cx="${x}" cy="${axis}" r="11"/>`,
      `<text class="number" x="${x}" y="${axis + 4}">${number}</text>`,
      `<text x="${x}" y="${y}">${since === 0 ? 'at once' : duration(since)}</text>`,
    ].join('');
  });
  const label = attempts.map(
    ({ number, since }) =>
      `attempt ${number} ${since === 0 ? 'at once' : `after ${duration(since)}`}`,
  );
  return [
    `<div class="diagram" tabindex="0" role="img" aria-label="Time line: ${label.join(', ')}">`,
    `<svg class="time-line" viewBox="0 0 ${width} 168" width="${width}" height="168" aria-hidden="true">`,
    `<line class="axis" x1="${margin}" x2="${width - margin}" y1="${axis}" y2="${axis}"/>`,
    ...marks,
    '</svg></div>',
  ].join('\n');
}

function tableHtml(attempts: readonly Attempt[]): string {
  const rows = attempts.map(
    ({ number, wait, since }) =>
      `<tr><td>${number}</td><td>${wait === 0 ? 'none' : duration(wait)}</td><td>${since === 0 ? 'at once' : duration(since)}</td></tr>`,
  );
  return `<div class="table" tabindex="0" role="group" aria-label="Table"><table><thead><tr><th>Attempt</th><th>Wait before it</th><th>After the event</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`;
}

/** Formats a duration in its two largest units, such as `35 min 5 s`. */
function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  const parts = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ] as const;
  return parts
    .filter(([count]) => count > 0)
    .slice(0, 2)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ');
}
