import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificationOutput } from '@svc/contract';
import { Failure } from '../../failure.ts';
import { renderBadge } from './badge.ts';
import { renderHtml } from './html.ts';
import { renderJUnit } from './junit.ts';

/** Writes the report in each of its forms. Returns the paths. */
export function writeReports(folder: string, run: CertificationOutput): string[] {
  const files = {
    'certify.html': renderHtml(run),
    'certify.json': `${JSON.stringify(run, null, 2)}\n`,
    'certify.xml': renderJUnit(run),
    'certify.svg': renderBadge(run),
  };
  try {
    mkdirSync(folder, { recursive: true });
    return Object.entries(files).map(([name, text]) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    });
  } catch (error) {
    throw new Failure(`Cannot write the report to ${folder}: ${(error as Error).message}`, {
      next: 'Pass another folder with --out. The run itself is finished, and the console shows it.',
    });
  }
}
