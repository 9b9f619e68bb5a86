import { expect, test } from 'vitest';
import { signedRun } from '../../testing/sample-run.ts';
import { parseReport, verifyReport } from './verify-report.ts';

test('a report of the service is valid, also after it was written to a file', () => {
  const { run, keys } = signedRun();
  const read = parseReport(JSON.stringify(run, null, 2), 'certify.json');
  expect(verifyReport(read, keys)).toMatchObject({
    ok: true,
    payload: { id: 'crt_1', pms: 'maple' },
    changed: [],
  });
});

test('another key, and a changed payload, are not', () => {
  const { run, keys } = signedRun();
  const other = signedRun();
  expect(verifyReport(run, other.keys)).toMatchObject({
    reason: expect.stringMatching('was changed'),
  });
  const signed = run.signed_report as NonNullable<typeof run.signed_report>;
  const payload = signed.payload.replace('"failed"', '"passed"');
  const forged = { ...run, signed_report: { ...signed, payload } };
  expect(verifyReport(forged, keys)).toMatchObject({ ok: false });
  expect(verifyReport(run, { keys: [] })).toMatchObject({
    reason: expect.stringMatching('no key with the id'),
  });
});

test('what was changed next to the signed part is named', () => {
  const { run, keys } = signedRun();
  const cases = run.cases.map((it) =>
    it.name === 'duplicates' ? { ...it, status: 'pass' as const } : it,
  );
  expect(verifyReport({ ...run, state: 'passed', cases }, keys)).toMatchObject({
    ok: true,
    changed: ['state', 'the case duplicates'],
  });
  const steps = run.cases.map((it) => ({ ...it, steps: [] }));
  expect(verifyReport({ ...run, cases: steps }, keys)).toMatchObject({
    changed: ['the case duplicates', 'the case service_down'],
  });
});

test.each([
  ['{', 'certify.json is not JSON.'],
  ['null', 'certify.json has no signed report.'],
  ['{"signed_report":null}', 'certify.json has no signed report.'],
  ['{"signed_report":{"payload":1}}', 'certify.json has no signed report.'],
])('%s is no report', (text, message) => {
  expect(() => parseReport(text, 'certify.json')).toThrow(message);
});
