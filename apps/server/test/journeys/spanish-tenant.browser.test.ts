import { readFile } from 'node:fs/promises';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { englishIn } from '../../../../scripts/test/english-in.ts';
import { readPdf } from '../support/read-pdf.ts';
import { chooseAccount } from './choose-account.ts';
import { type OpenDemo, openDemo, signInAs } from './open-demo.ts';

let stage: OpenDemo;
beforeAll(async () => {
  stage = await openDemo();
});
afterAll(() => stage?.close());

/** Opens the experience of a demo resident and switches it to Spanish. */
async function openInSpanish(page: Page, name: string): Promise<FrameLocator> {
  await signInAs(page, name);
  await page.getByRole('button', { name: 'See my options' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByRole('button', { name: 'Español' }).click();
  return frame;
}

async function apply(frame: FrameLocator): Promise<void> {
  await frame.getByRole('button', { name: 'Empezar mi solicitud' }).click();
  await frame.getByLabel('Fecha de nacimiento').fill('04/12/1990');
  await frame.getByLabel('¿Cuál es tu ingreso mensual?').fill('5000');
  await frame.getByLabel(/^Acepto que/).check();
  await frame.getByRole('button', { name: 'Enviar mi solicitud' }).click();
}

/** Saves a PDF, and returns its text. */
async function save(page: Page, press: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), press()]);
  return readPdf(await readFile(await download.path())).text;
}

test('a resident splits the rent in Spanish, saves the agreement and returns in Spanish', async () => {
  const page = await stage.openPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const frame = await openInSpanish(page, 'Ada Lane');
  await frame.getByRole('heading', { name: /^¿Dividir tu renta de \$1,520\.12/ }).waitFor();
  await apply(frame);
  await frame.getByRole('radio', { name: /^3 pagos/ }).check();
  await frame.getByRole('button', { name: 'Continuar con 3 pagos' }).click();
  await chooseAccount(frame);
  await frame.getByRole('button', { name: /^Leer el contrato/ }).click();
  const copy = await save(page, () =>
    frame.getByRole('button', { name: 'Guardar una copia' }).click(),
  );
  expect(copy).toContain('TASA DE PORCENTAJE ANUAL');
  expect(englishIn(copy)).toEqual([]);
  const [mark = 'no mark'] = /Identificador del documento: [0-9a-f]{64}/.exec(copy) ?? [];
  await frame.getByRole('button', { name: 'Volver' }).click();
  await frame.getByRole('checkbox').check();
  await frame.getByRole('button', { name: /^Aceptar y pagar \$/ }).click();
  await frame.getByRole('heading', { name: 'Tu renta está dividida' }).waitFor();
  await frame.getByRole('button', { name: 'Ver mi plan' }).click();
  await frame.getByRole('heading', { name: /^Tu próximo pago es/ }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Manage plan' }).click();
  await frame.getByRole('heading', { name: /^Tu próximo pago es/ }).waitFor();
  await frame.getByRole('button', { name: /^Tu contrato/ }).click();
  await frame.getByText(mark).waitFor();
  await frame.getByRole('button', { name: 'English' }).click();
  await frame.getByText('You read it and signed it in Spanish.').waitFor();
  await frame.getByText('TASA DE PORCENTAJE ANUAL').waitFor();
  await page.close();
});

test('a declined resident saves the notice with the creditor and their rights', async () => {
  const page = await stage.openPage();
  await page.setViewportSize({ width: 390, height: 844 });
  const frame = await openInSpanish(page, 'Ben Ortiz');
  await apply(frame);
  await frame.getByRole('heading', { name: 'Esta vez no podemos dividir tu renta' }).waitFor();
  await frame.getByText('Tus ingresos no son suficientes para el monto solicitado').waitFor();
  const notice = await save(page, () =>
    frame.getByRole('button', { name: 'Guardar el aviso' }).click(),
  );
  expect(notice).toContain('Equal Credit Opportunity Act');
  expect(notice).toContain('Razones principales');
  expect(englishIn(notice)).toEqual([]);
  await page.close();
});
