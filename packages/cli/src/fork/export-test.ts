import type { ForkChange, Recording, TenantHistoryOutput } from '@svc/contract';

/** Everything that an exported test needs. */
export interface ExportedCase {
  readonly recording: Recording;
  readonly change: ForkChange | null;
  /** How the copy ended, with the change. */
  readonly end: Pick<TenantHistoryOutput, 'plan' | 'events'>;
}

interface ExportedFile {
  readonly name: string;
  readonly content: string;
}

interface Exporter {
  /** The names of the test and of its recording, for a tenant whose id is `slug` in a file's name. */
  readonly names: (slug: string) => readonly [test: string, recording: string];
  readonly write: (exported: ExportedCase, recordingName: string) => string;
  /** The command that runs the test. */
  readonly command: string;
}

export const exporters = {
  vitest: {
    names: (slug) => [`${slug}.test.ts`, `${slug}.recording.json`],
    write: writeVitest,
    command: 'npx vitest run',
  },
  pytest: {
    names: (slug) => [`test_${slug.replaceAll('-', '_')}.py`, `${slug}.recording.json`],
    write: writePytest,
    command: 'python3 -m pytest',
  },
} as const satisfies Record<string, Exporter>;

export type ExportFormat = keyof typeof exporters;

/** Returns the names of the files that an export of this tenant writes, the test first. */
export function exportedNames(format: ExportFormat, externalId: string): readonly string[] {
  return exporters[format].names(slugOf(externalId));
}

/** Returns the test and its recording, which the test expects in its own folder. */
export function exportTest(format: ExportFormat, exported: ExportedCase): ExportedFile[] {
  const { names, write } = exporters[format];
  const [test, recording] = names(slugOf(exported.recording.external_id));
  return [
    { name: test, content: write(exported, recording) },
    { name: recording, content: `${JSON.stringify(exported.recording, null, 2)}\n` },
  ];
}

/** Describes the change as the end of a sentence that begins with "if". */
export function describeChange(change: ForkChange): string {
  if (change.fail_next_payment) return `the next payment fails with ${change.fail_next_payment}`;
  if (change.advance_clock) return `the clock moves on by ${change.advance_clock}`;
  if (change.terms_version) return `the terms are ${change.terms_version}`;
  return `the application is ${change.underwriting_result === 'WILL_BE_DECLINED' ? 'declined' : 'approved'}`;
}

function slugOf(externalId: string): string {
  const slug = externalId.replace(/[^a-zA-Z0-9]+/g, '-').slice(0, 60);
  return slug.replace(/^-|-$/g, '') || 'tenant';
}

/** Returns the tenant's id in the test's sandbox. With a copy's id, webhooks would be kept back there, too. */
function tenantOf({ external_id }: Recording): string {
  return external_id.replace(/~(?:fork|copy)-\d{1,6}$/, '');
}

function titleOf({ recording, change }: ExportedCase): string {
  const tenant = tenantOf(recording);
  return change === null
    ? `${tenant} ends as recorded`
    : `${tenant} ends like this if ${describeChange(change)}`;
}

function paymentsOf({ plan }: ExportedCase['end']): (readonly (string | number)[])[] {
  return (plan?.installments ?? []).map((it) => [it.due_date, it.amount_in_cents, it.state]);
}

function writeVitest(exported: ExportedCase, recordingName: string): string {
  const { recording, change, end } = exported;
  const tenant = quote(tenantOf(recording));
  const changed = change === null ? '' : `, change: { ${objectEntry(change)} }`;
  const plan =
    end.plan === null
      ? '  expect(plan).toBeNull();'
      : `  expect(plan?.state).toBe(${quote(end.plan.state)});
  expect(plan?.installments.map((it) => [it.due_date, it.amount_in_cents, it.state])).toEqual([
${lines(
  paymentsOf(end).map((it) => `[${it.map(literal).join(', ')}]`),
  4,
)}
  ]);`;
  return `// Plays the calls of ${recordingName} in a sandbox, and checks how the tenant ends.
import { type Sandbox, startSandbox } from '@svc/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import recording from './${recordingName}' with { type: 'json' };

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
}, 60_000);
afterAll(() => sandbox.stop());

test(${quote(titleOf(exported))}, async () => {
  const { simulation } = sandbox.client;
  // It fails with the first difference if the webhooks are not those of the recording. Change a
  // fact here: { fail_next_payment: 'R01' }, { advance_clock: 'P30D' } or
  // { underwriting_result: 'WILL_BE_DECLINED' }.
  await simulation.replay(${tenant}, { recording${changed} });

  // The end of the copy that was exported. Change it to the end that you expect.
  const { plan, events } = await simulation.history(${tenant});
${plan}
  expect(events.map(({ type }) => type)).toEqual([
${lines(
  end.events.map(({ type }) => quote(type)),
  4,
)}
  ]);
}, 60_000);
`;
}

function writePytest(exported: ExportedCase, recordingName: string): string {
  const { recording, change, end } = exported;
  const tenant = tenantOf(recording);
  const changed = change === null ? '' : `, "change": ${JSON.stringify(change)}`;
  const plan =
    end.plan === null
      ? '    assert history["plan"] is None'
      : `    assert history["plan"]["state"] == ${JSON.stringify(end.plan.state)}
    payments = history["plan"]["installments"]
    assert [[it["due_date"], it["amount_in_cents"], it["state"]] for it in payments] == [
${lines(
  paymentsOf(end).map((it) => `[${it.map((value) => JSON.stringify(value)).join(', ')}]`),
  8,
)}
    ]`;
  return `"""Plays the calls of ${recordingName} in a sandbox, and checks how the tenant ends."""

import json
import os
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

import pytest

# Where npm has installed @svc/sandbox, in a folder of your project.
PROGRAM = os.environ.get("SVC_SANDBOX", "node_modules/.bin/svc-sandbox")
RECORDING = json.loads(Path(__file__).with_name("${recordingName}").read_text("utf-8"))
TENANT = ${JSON.stringify(tenant)}


@pytest.fixture(scope="module")
def sandbox():
    process = subprocess.Popen(
        [PROGRAM, "--json", "--memory", "--port=0", "--no-demo", "--stop-with-stdin"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    line = process.stdout.readline()
    assert line, "The sandbox did not start: its message is above."
    yield json.loads(line)
    process.stdin.close()
    process.wait(timeout=30)


def call(sandbox, method, verb, body=None):
    request = urllib.request.Request(
        f"{sandbox['url']}/v1/simulation/{urllib.parse.quote(TENANT, safe='')}/{verb}",
        method=method,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": f"Bearer {sandbox['api_key']}",
            "Content-Type": "application/json",
        },
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)["data"]
    except urllib.error.HTTPError as refused:
        pytest.fail(json.load(refused)["error"]["message"])


def test_the_tenant_ends_as_recorded(sandbox):
    # It fails with the first difference if the webhooks are not those of the recording. Change a
    # fact with "change": {"fail_next_payment": "R01"}, {"advance_clock": "P30D"} or
    # {"underwriting_result": "WILL_BE_DECLINED"}.
    call(sandbox, "POST", "replay", {"recording": RECORDING${changed}})

    # The end of the copy that was exported. Change it to the end that you expect.
    history = call(sandbox, "GET", "history")
${plan}
    assert [event["type"] for event in history["events"]] == [
${lines(
  end.events.map(({ type }) => JSON.stringify(type)),
  8,
)}
    ]
`;
}

/** Formats the items of a list, one per line. */
function lines(items: readonly string[], indent: number): string {
  return items.map((item) => `${' '.repeat(indent)}${item},`).join('\n');
}

function objectEntry(change: ForkChange): string {
  return Object.entries(change)
    .map(([name, value]) => `${name}: ${quote(String(value))}`)
    .join(', ');
}

function literal(value: string | number): string {
  return typeof value === 'number' ? String(value) : quote(value);
}

/** Formats a TypeScript string in single quotes. JSON escapes everything that could end it except those. */
function quote(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${escaped}'`;
}
