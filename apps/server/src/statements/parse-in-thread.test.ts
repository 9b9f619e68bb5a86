import { expect, test } from 'vitest';
import { BadFile } from './bad-file.ts';
import { parseInThread } from './parse-in-thread.ts';
import { parseStatements } from './parse-statements.ts';

const file = Buffer.from(
  [
    'account,currency,date,kind,amount,reference,description',
    '6789,USD,2026-02-02,opening,0,,',
    '6789,USD,2026-02-02,entry,12.50,ref-1,rent',
    '6789,USD,2026-02-02,closing,12.50,,',
  ].join('\n'),
);

test('a file is read as the command reads it', async () => {
  expect(await parseInThread(file)).toEqual(parseStatements(file));
});

test('a bad file is refused with its line', async () => {
  const cutOff = file.subarray(0, file.lastIndexOf('6789'));
  const refused = parseInThread(cutOff);
  await expect(refused).rejects.toThrow(BadFile);
  await expect(refused).rejects.toThrow('Line 2: this opening has no closing');
});
