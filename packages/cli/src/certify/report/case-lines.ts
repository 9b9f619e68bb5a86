import type { CertificationCaseOutput } from '@svc/contract';
import { clean, cleanLines, type Terminal } from '../../terminal.ts';

const statusMarks = {
  pass: ['green', '✓'],
  warn: ['yellow', '!'],
  fail: ['red', '✗'],
  skipped: ['dim', '-'],
  pending: ['dim', '-'],
} as const;

export const areaTitles: Readonly<Record<string, string>> = {
  receiver: 'Receiver',
  life: 'Life of a plan',
  money: 'Money',
  page: 'Page',
};

/** Returns the lines of one case: its result, and for a mistake its cause and fix. */
export function caseLines(terminal: Terminal, it: CertificationCaseOutput): string[] {
  const [style, mark] = statusMarks[it.status] ?? statusMarks.skipped;
  const took =
    it.duration_in_ms === null || it.status === 'skipped'
      ? ''
      : `  ${terminal.paint('dim', durationOf(it.duration_in_ms))}`;
  const head = `${terminal.paint(style, mark)} ${clean(it.name).padEnd(20)} ${clean(it.title)}${took}`;
  if (it.status === 'pass' || it.status === 'pending') return [head];
  if (it.status === 'skipped') {
    return it.summary ? [head, ...indent(terminal.paint('dim', cleanLines(it.summary)))] : [head];
  }
  return [
    head,
    ...(it.summary ? indent(cleanLines(it.summary)) : []),
    ...(it.cause ? indent(`Cause: ${cleanLines(it.cause)}`) : []),
    ...(it.fix ? indent(`Fix:   ${cleanLines(it.fix)}`) : []),
    ...(it.docs_url ? indent(terminal.paint('dim', clean(it.docs_url))) : []),
  ];
}

/** Formats a duration as `840 ms` or `2.3 s`. */
export function durationOf(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

function indent(text: string): string[] {
  return text.split('\n').map((line) => `    ${line}`);
}
