import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

interface Axe {
  run: (
    document: unknown,
    options: object,
  ) => Promise<{
    violations: { id: string; nodes: { target: unknown[]; failureSummary?: string }[] }[];
  }>;
}

/** The part of the browser's document that is used here. */
interface Animated {
  getAnimations: () => {
    effect: { getComputedTiming: () => { endTime?: unknown } } | null;
    finish: () => void;
  }[];
}

const builder = createRequire(import.meta.url).resolve('@axe-core/playwright');

/** The text of axe's script, for `violationsOf`, and for tests that find elements as axe does. */
export const axeSource = readFileSync(
  createRequire(builder).resolve('axe-core/axe.min.js'),
  'utf8',
);

/**
 * Runs axe in one document and returns one line per violation; `rules` limits it to some rules. The
 * script stays in the document for the next call: 0.1 s, while the builder of @axe-core/playwright
 * opens a new page for each call and takes 0.7 s.
 */
export async function violationsOf(
  target: Page | Frame,
  rules?: readonly string[],
): Promise<string[]> {
  const isLoaded = await target.evaluate(() => 'axe' in globalThis);
  if (!isLoaded) await target.evaluate(axeSource);
  return target.evaluate(
    async (only) => {
      const { axe, document } = globalThis as unknown as { axe: Axe; document: Animated };
      // Elements that are fading in have colors with too little contrast.
      for (const animation of document.getAnimations()) {
        const endTime = Number(animation.effect?.getComputedTiming().endTime);
        if (Number.isFinite(endTime)) animation.finish();
      }
      const { violations } = await axe.run(document, {
        ...(only === null ? {} : { runOnly: only }),
        resultTypes: ['violations'],
        iframes: false,
        preload: false,
      });
      return violations.flatMap(({ id, nodes }) =>
        nodes.map((node) => `${id} ${node.target.join(' ')} ${node.failureSummary}`),
      );
    },
    rules === undefined ? null : [...rules],
  );
}
