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

/** Of the browser's document, as much as is asked. */
interface Animated {
  getAnimations: () => {
    effect: { getComputedTiming: () => { endTime?: unknown } } | null;
    finish: () => void;
  }[];
}

const builder = createRequire(import.meta.url).resolve('@axe-core/playwright');
const source = readFileSync(createRequire(builder).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe finds wrong in one document, a line each; `rules` narrows the search to some of them.
 * Runs in the document and stays there for the next time: 0.1 s, where the builder of
 * @axe-core/playwright, which opens a page of its own at each turn, takes 0.7 s.
 */
export async function violationsOf(
  target: Page | Frame,
  rules?: readonly string[],
): Promise<string[]> {
  const isThere = await target.evaluate(() => 'axe' in globalThis);
  if (!isThere) await target.evaluate(source);
  return target.evaluate(
    async (only) => {
      const { axe, document } = globalThis as unknown as { axe: Axe; document: Animated };
      // What is half faded in has colors that nobody is meant to read.
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
