import type { InstallmentState } from '@svc/contract';
import { expect, test } from 'vitest';
import { type Segment, segmentsOf, splitBarHtml } from './split-bar.ts';

const partsOf = (...states: readonly InstallmentState[]) =>
  states.map((state, index) => ({ number: index + 1, state }));

test('the bar of a mail tells what a payment is, and which one comes next', () => {
  const parts = partsOf('paid', 'processing', 'scheduled', 'canceled');
  expect(segmentsOf(parts, null)).toEqual(['paid', 'processing', 'open', 'credited']);
  const late = partsOf('paid', 'failed', 'overdue', 'scheduled');
  expect(segmentsOf(late, null)).toEqual(['paid', 'late', 'late', 'open']);
});

test('a payment that the mail says was moved is drawn as moved, even if it comes next', () => {
  const parts = partsOf('paid', 'scheduled', 'scheduled');
  expect(segmentsOf(parts, null)).toEqual(['paid', 'next', 'open']);
  expect(segmentsOf(parts, 2)).toEqual(['paid', 'moved', 'open']);
});

test('each segment has a shape that no other one has, without any color', () => {
  const segments: Segment[] = ['paid', 'processing', 'next', 'open', 'late', 'credited', 'moved'];
  const shapes = segments.map((segment) =>
    splitBarHtml([segment], '#0f766e')
      .replaceAll(/#[0-9a-f]{6}/g, '')
      .replaceAll(/class="bar-(full|bad)"/g, ''),
  );
  expect(new Set(shapes).size).toBe(segments.length);
});

test('the bar is a table without text, SVG or script, and as wide as its mail', () => {
  for (const count of [2, 3, 4]) {
    const html = splitBarHtml(Array<Segment>(count).fill('late'), '#0f766e');
    expect(html.replaceAll(/<[^>]*>|&nbsp;/g, '')).toBe('');
    expect(html).not.toMatch(/svg|script|flex|grid|gradient/);
    const widths = [...html.matchAll(/width="([\d.]+)%"/g)].map(([, width]) => Number(width));
    // The first width is the table's.
    expect(widths.slice(1).reduce((sum, it) => sum + it, 0)).toBeCloseTo(100, 0);
  }
});
