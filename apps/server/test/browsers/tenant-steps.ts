import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { anything, type Reader } from '../../../../scripts/test/browsers/reader.ts';
import type { Words } from '../../../experience/src/words/en.ts';

/** The page on which the steps happen, and the words of its language. */
export interface Experience {
  readonly on: Reader;
  readonly words: Words;
  /** The name of the fifth weekday, as the experience writes it. */
  readonly friday: string;
}

/** Goes from the offer to the list of banks, and chooses three payments on the tenant's paydays. */
export async function apply({ on, words, friday }: Experience): Promise<void> {
  const { application, choice, paydays } = words;
  await on.press(words.offer.action);
  await on.fill(application.birth, '04/12/1990');
  await on.fill(application.income, '5000');
  await on.choose(application.consent(anything) + anything, 'checkbox');
  await on.press(application.action);
  await on.press(paydays.title, 'disclosure');
  await on.select(paydays.often, paydays.frequencies.weekly);
  await on.select(paydays.dayLabels.weekly[0] ?? '', friday);
  await on.waitFor('disclosure', paydays.matched);
  await on.choose(new RegExp(`^${words.payments(3)}`), 'radio');
  await on.press(choice.action(3));
  await on.waitFor('button', 'Platypus National Bank');
}

/** Types the numbers of an account, which needs no other page. */
export async function typeAccount({ on, words: { account } }: Experience): Promise<void> {
  await on.press(account.banks.typed);
  await on.fill(account.routing, '110000000');
  await on.fill(account.number, '000111110000');
  await on.fill(account.again, '000111110000');
  await on.press(account.actions.bank_account);
}

/** Saves the agreement to the browser's folder, which leaves the page as it is. */
export async function saveAgreement(
  { on, words: { consent, back } }: Experience,
  downloads: string,
): Promise<void> {
  await on.press(`${consent.text} ${anything}`);
  const file = await savedIn(downloads, () => on.press(consent.save));
  expect(file.name).toBe(`${consent.fileName}.pdf`);
  expect(file.text).toMatch(/^%PDF-/);
  await on.press(back);
  await on.waitFor('button', consent.action(anything));
}

export async function saveCalendar(
  { on, words: { calendar, done } }: Experience,
  downloads: string,
): Promise<void> {
  const file = await savedIn(downloads, () => on.press(done.calendar));
  expect(file.name).toBe(`${calendar.fileName}.ics`);
  expect(file.text).toMatch(/^BEGIN:VCALENDAR/);
  await on.waitFor('button', done.close);
}

/** Returns the file that a browser saves during `act`. Deletes it, so that the next one can have the same name. */
async function savedIn(folder: string, act: () => Promise<void>) {
  // A browser makes the folder with its first download.
  const names = () => readdir(folder).catch((): string[] => []);
  await act();
  return vi.waitUntil(
    async () => {
      const name = (await names()).find((it) => /\.(pdf|ics)$/.test(it));
      if (name === undefined) return undefined;
      // Firefox writes into another file first, keeps the name with an empty one, and then renames it.
      const text = await readFile(join(folder, name), 'latin1').catch(() => '');
      if (text === '') return undefined;
      await rm(join(folder, name));
      return { name, text };
    },
    { timeout: 30_000, interval: 100 },
  );
}

export async function agree({ on, words: { consent, done } }: Experience): Promise<void> {
  await on.choose(/./, 'checkbox');
  await on.press(consent.action(anything));
  await on.waitFor('button', done.close);
}

/** Opens each page of an active plan and uses it, until the plan is paid off. `texts` is the folder of the messages. */
export async function managePlan({ on, words }: Experience, texts: string): Promise<void> {
  const { manage, notices, pay } = words;
  const open = (title: string) => on.press(`${title} ${anything}`);

  await open(manage.agreement);
  await on.waitFor('heading', words.agreementPage.title);
  await on.press(words.back);
  await open(manage.receipt(anything));
  await on.waitFor('heading', words.receipts.title(anything));
  await on.press(words.back);

  await open(manage.account);
  await on.choose(`${words.account.card} ${anything}`, 'radio');
  await on.fill(words.card.number, '4242424242424242');
  await on.fill(words.card.expires, '12/40');
  await on.fill(words.card.cvc, '123');
  await on.press(words.account.actions.card);
  await on.waitForText(notices.account_changed.title);

  await open(manage.move);
  // The radio buttons of days name no amount, those of payments do.
  await on.choose(/^[^$]*\d[^$]*$/, 'radio');
  await on.press(words.move.action(anything));
  await on.waitForText(notices.moved.title);

  await open(words.texts.row);
  await on.choose(/./, 'checkbox');
  const sentBefore = await codesIn(texts);
  await on.press(words.texts.action);
  await on.waitFor('heading', words.texts.codeTitle);
  const codes = await vi.waitUntil(async () => {
    const sent = await codesIn(texts);
    return sent.length > sentBefore.length && sent;
  });
  await on.fill(words.texts.code, codes.find((it) => !sentBefore.includes(it)) ?? '');
  await on.press(words.texts.codeAction);
  await on.waitForText(notices.texts_on.title);

  await open(manage.payEarly);
  await on.press(pay.action(anything));
  await on.waitFor('heading', notices.paid.title(anything));
  // The last payment: paying it early pays off the plan.
  await open(manage.payEarly);
  await on.press(pay.action(anything));
  await on.waitFor('heading', manage.titles.completed);
  expect(await on.text()).toContain(words.manage.progress(3, 3));
}

/** Reads the codes that confirm phone numbers from the messages in the folder. */
async function codesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.flatMap((mail) => {
    const isText = mail.includes('Subject: Text message');
    const [code] = /\b\d{6}\b/.exec(mail.slice(mail.indexOf('\r\n\r\n'))) ?? [];
    return isText && code !== undefined ? [code] : [];
  });
}
