import { describe, expect, test } from 'vitest';
import { hostile, sampleRun } from '../../testing/sample-run.ts';
import { renderBadge } from './badge.ts';
import { renderHtml } from './html.ts';
import { renderJUnit } from './junit.ts';

const escaped = '&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;\ufffd[2J\ufffd]]&gt;';

const clean = sampleRun().cases.filter(({ status }) => status !== 'fail');

/** Each outcome with a run that has it, the page's headline and the badge's color. */
const outcomes = [
  ['passed', { state: 'passed', cases: clean }, 'The integration works', '#027a48'],
  ['incomplete', { state: 'incomplete', cases: clean }, 'What was run works', '#667085'],
  ['failed', { state: 'failed' }, 'Something needs to be fixed', '#b42318'],
] as const;

describe('the page', () => {
  const html = renderHtml(sampleRun());

  test('has each case with its cause, its fix, and what was sent and answered', () => {
    for (const text of [
      'Something needs to be fixed',
      '2 of 4 cases passed, 1 of them with a warning, 1 failed.',
      '2026-02-01 18:02 UTC',
      'A repeated webhook is handled once',
      'Your receiver does not store the webhook-id of what it has handled.',
      'Store each webhook-id in the transaction that handles it',
      'href="https://svc.example/docs/webhooks#a-receiver"',
      'Answered 500',
      '&quot;amount_in_cents&quot;: 152012',
      'The container #rent has no fallback.',
      'Without a tenant query, your debits cannot be seen.',
      'with key a1b2c3d4e5f60718',
    ]) {
      expect(html).toContain(text);
    }
  });

  test('escapes what others wrote, loads nothing, and has no script', () => {
    expect(html).not.toContain(hostile);
    expect(html.split(escaped)).toHaveLength(5);
    expect(html).not.toMatch(/<script|javascript:|<link|<img|@import|url\(/);
    expect(html).toContain("default-src 'none'");
  });

  test('shows failures first, then warnings, then the others', () => {
    const names = [...html.matchAll(/<details class="case \w+" id="(\w+)"/g)].map(([, id]) => id);
    expect(names).toEqual(['duplicates', 'service_down', 'handshake', 'debited_once']);
    expect(html).toContain('<h2>To fix <span>2 of 4</span></h2>');
    expect(html).toContain('<h2>Receiver <span>1 of 2 passed</span></h2>');
  });

  test('says durations in milliseconds below a second', () => {
    expect(html).toContain('>840 ms<');
    expect(html).toContain('>2.0 s<');
  });

  test('opens the cases that need work', () => {
    expect(html).toMatch(/<details class="case fail" id="duplicates" open>/);
    expect(html).toMatch(/<details class="case pass" id="handshake">/);
  });

  test.each(outcomes)('says if a run is %s', (_, changes, headline) => {
    expect(renderHtml(sampleRun(changes))).toContain(`${headline}</h1>`);
  });
});

describe('JUnit', () => {
  test('a failure has its cause, a warning passes, and a case that was not run is skipped', () => {
    const xml = renderJUnit(sampleRun());
    expect(xml).toContain('tests="4" failures="1" errors="0" skipped="1" time="1.080"');
    expect(xml).toContain('<testsuite name="receiver" tests="2" failures="1"');
    expect(xml).toContain(
      '<testcase classname="svc.receiver" name="handshake: A valid webhook is accepted and a forged one refused" time="0.120"/>',
    );
    expect(xml).toContain(`<failure message="You debited $1,520.12 twice. ${escaped}">`);
    expect(xml).toContain('Cause: Your receiver does not store the webhook-id');
    expect(xml).toMatch(/service_down: .*<system-out>Without the service/);
    expect(xml).toContain(
      '<skipped message="Without a tenant query, your debits cannot be seen."/>',
    );
    expect(xml).not.toContain(hostile);
  });

  test('a lone surrogate is replaced, so that the file is XML', () => {
    expect(renderJUnit(sampleRun({ id: 'crt_\ud800' }))).toContain('svc certify crt_\ufffd');
  });
});

test.each(outcomes)('the badge says if a run is %s', (outcome, changes, _headline, color) => {
  const svg = renderBadge(sampleRun(changes));
  expect(svg).toContain(`svc certify: ${outcome} · 0.3.0 · 2026-02-01`);
  expect(svg).toContain(color);
});

test('the badge escapes the version', () => {
  expect(renderBadge(sampleRun({ service_version: hostile }))).not.toContain(hostile);
});
