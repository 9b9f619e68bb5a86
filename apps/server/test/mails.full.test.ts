import { locales } from '@svc/contract';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chromiumLaunchOptions } from '../../../scripts/chromium.mjs';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { composeMail } from '../src/domain/mail/compose.ts';
import { letterOf, place, type SampleName, sampleMails } from './support/sample-mails.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(await chromiumLaunchOptions());
});
afterAll(() => browser.close());

/** Rules for pages. A mail is shown inside the page of a mail program, which has the landmarks. */
const rulesOfPages = ['landmark-one-main', 'region'];

const names = Object.keys(sampleMails) as SampleName[];

test.for(names)(
  'the mail "%s" has no violations in both languages and themes, and fits a narrow phone',
  async (name) => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 640 } });
      for (const locale of locales) {
        for (const productVariant of ['rent', 'hoa'] as const) {
          const letter = letterOf(name, { locale, productVariant });
          await page.setContent(composeMail(letter, place).html);
          const found = (await violationsOf(page)).filter(
            (it) => !rulesOfPages.some((rule) => it.startsWith(`${rule} `)),
          );
          expect(found, `${locale} ${colorScheme}`).toEqual([]);
          const width = await page.evaluate(() => document.documentElement.scrollWidth);
          expect(width, `${locale} ${productVariant}`).toBe(320);
        }
      }
      await page.close();
    }
  },
);
