import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderLocked } from '../errors.ts';
import { lockFolder } from './lock-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('a folder has one owner at a time, and can be locked again after release', async () => {
  const first = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(DataFolderLocked);
  await first.release();
  const second = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow(`process ${process.pid}`);
  await second.release();
});

test('exactly one of many concurrent callers gets a free or a dead lock', async () => {
  for (let round = 0; round < 20; round += 1) {
    const tries = await Promise.allSettled(Array.from({ length: 12 }, () => lockFolder(folder)));
    const winners = tries.flatMap((result) =>
      result.status === 'fulfilled' ? [result.value] : [],
    );
    expect(winners).toHaveLength(1);
    for (const lost of tries) {
      if (lost.status === 'rejected') expect(lost.reason).toBeInstanceOf(DataFolderLocked);
    }
    await winners[0]?.release();
    expect(await readdir(folder)).toEqual([`lock.${round + 1}`]);
  }
});

test('an owner that hangs keeps the lock', async () => {
  const hanging = createServer(() => {});
  await new Promise<void>((resolve) => hanging.listen(join(folder, 'lock.1'), resolve));
  await expect(lockFolder(folder)).rejects.toThrow('in use by another process');
  await new Promise((resolve) => hanging.close(resolve));
});
