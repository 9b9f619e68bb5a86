import { expect } from 'vitest';
import type { OpenDemo } from './open-demo.ts';

interface Activity {
  readonly kind: string;
  readonly type: string | null;
  readonly verified?: boolean;
}

/** Waits until the portal has received an SDK event or a verified webhook of this type. */
export async function waitForActivity({ demo }: OpenDemo, type: string): Promise<void> {
  const received = async () => {
    const response = await fetch(`${demo.origin}/api/activity`);
    const { items } = (await response.json()) as { items: Activity[] };
    return items.filter((it) => it.kind === 'sdk' || it.verified).map((it) => it.type);
  };
  await expect.poll(received, { timeout: 15_000 }).toContain(type);
}
