import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileTexts } from './file-texts.ts';
import { openMailFiles } from './mail-files.ts';

test('a text becomes a mail in the folder that says that it is simulated', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-texts-'));
  try {
    const sender = createFileTexts(openMailFiles(folder));
    const outcome = await sender.send({
      id: 'txt_1',
      to: '+12125550123',
      body: 'Svc: Your payment is due on March 9.',
      validForSeconds: 60,
      statusUrl: null,
      date: new Date('2026-03-06T15:00:00Z'),
    });
    expect(outcome).toEqual({ kind: 'accepted', ref: 'txt_1' });
    expect(await readFile(join(folder, 'txt_1.eml'), 'utf8')).toBe(
      [
        'From: "Text message (simulated)" <text@svc.invalid>',
        'To: "+12125550123" <text@svc.invalid>',
        'Subject: Text message to +12125550123 (simulated)',
        'Date: Fri, 06 Mar 2026 15:00:00 +0000',
        'Content-Type: text/plain; charset=utf-8',
        '',
        'Svc: Your payment is due on March 9.',
        '',
      ].join('\r\n'),
    );
    expect(sender.readWebhook({ url: '', headers: {}, body: '' })).toBeNull();
  } finally {
    await rm(folder, { recursive: true });
  }
});
