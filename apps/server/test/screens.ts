import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { locales, productVariants } from '@svc/contract';
import { chromium } from 'playwright-core';
import { chromiumLaunchOptions } from '../../../scripts/chromium.mjs';
import { composeMail } from '../src/domain/mail/compose.ts';
import {
  agreementOf,
  letterOf,
  place,
  type SampleName,
  sampleMails,
} from './support/sample-mails.ts';

// Takes screenshots of every mail on a phone and a desktop, light and dark, in both languages, about rent and about
// dues, and writes its plain text.
const folder = fileURLToPath(new URL('../../../.screens/mails/', import.meta.url));
const only = process.argv[2];
const names = (Object.keys(sampleMails) as SampleName[]).filter(
  (name) => only === undefined || name.includes(only),
);
await mkdir(folder, { recursive: true });
const browser = await chromium.launch(await chromiumLaunchOptions());
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 820]) {
    const page = await browser.newPage({ colorScheme, viewport: { width, height: 600 } });
    for (const name of names) {
      for (const locale of locales) {
        for (const variant of productVariants) {
          const letter = letterOf(name, { locale, productVariant: variant });
          const agreement = letter.agreement && agreementOf(locale, { variant });
          const { html, subject, text } = composeMail({ ...letter, agreement }, place);
          const file = `${folder}${name.replaceAll(' ', '-')}-${variant}-`;
          await page.setContent(html);
          await page.screenshot({
            path: `${file}${width}-${colorScheme}-${locale}.png`,
            fullPage: true,
          });
          await writeFile(`${file}${locale}.txt`, `Subject: ${subject}\n\n${text}`);
        }
      }
    }
    await page.close();
  }
}
await browser.close();
