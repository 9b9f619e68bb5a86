import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../steps/run-command.mjs';

interface Rule {
  alert: string;
  expr: string;
  labels: { severity: string };
  annotations: { summary: string; runbook_url: string };
}

const file = join(ROOT, 'deploy/monitoring/alerts.yaml');
const { groups } = parse(readFileSync(file, 'utf8')) as { groups: { rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

test('each alert has a severity, a summary and its own section in the runbook', () => {
  const runbook = readFileSync(join(ROOT, 'docs/operate/alerts.md'), 'utf8');
  const sections = [...runbook.matchAll(/^## (\w+)\n\n\*(\w+)\.\*/gm)];
  expect(rules.map(({ alert, labels }) => `${alert} ${labels.severity}`)).toEqual(
    sections.map(([, alert, severity]) => `${alert} ${severity?.toLowerCase()}`),
  );
  for (const { alert, annotations } of rules) {
    expect(annotations.summary).toMatch(/\.$/);
    // Absolute, so that it can be opened from a pager. The service itself shows the page.
    expect(annotations.runbook_url).toBe(
      `https://svc.example/docs/operate/alerts#${alert.toLowerCase()}`,
    );
  }
});

const run = promisify(execFile);
const installed = await run('promtool', ['--version']).then(
  () => true,
  () => false,
);

test.runIf(installed)('promtool accepts the rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', file]);
  expect(stdout).toContain(`SUCCESS: ${rules.length} rules found`);
});

interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  gridPos: { h: number; w: number; x: number; y: number };
  fieldConfig?: { defaults: { unit: string } };
}

test('the dashboard imports anywhere, and each panel says what to do', () => {
  const dashboard = JSON.parse(
    readFileSync(join(ROOT, 'deploy/monitoring/dashboard.json'), 'utf8'),
  );
  expect(dashboard).toMatchObject({ id: null, uid: 'svc-overview' });
  const panels: Panel[] = dashboard.panels;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const taken = new Set<string>();
  for (const { type, title, description, gridPos, fieldConfig } of panels) {
    const { h, w, x, y } = gridPos;
    expect(x + w, title).toBeLessThanOrEqual(24);
    for (let row = y; row < y + h; row += 1) {
      for (let column = x; column < x + w; column += 1) {
        expect(taken.has(`${row} ${column}`), title).toBe(false);
        taken.add(`${row} ${column}`);
      }
    }
    if (type === 'row') continue;
    expect(description, title).toMatch(/\.$/);
    expect(fieldConfig?.defaults.unit, title).toBeTruthy();
  }
  const named = panels.flatMap(({ description }) => description?.match(/\bSvc[A-Z]\w+/g) ?? []);
  const known = rules.map(({ alert }) => alert);
  expect(named.filter((alert) => !known.includes(alert))).toEqual([]);
});
