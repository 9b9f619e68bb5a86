import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from '../service-settings.ts';
import { startControl } from './control.ts';

test('a control socket that cannot be created is one sentence', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-control-'));
  // A folder in the place of the socket: `rm` without `recursive` refuses it, also as root.
  await mkdir(join(dataDir, 'control.sock'));
  try {
    const log = { info() {}, warn() {}, error() {} };
    const parts = { log } as unknown as Parameters<typeof startControl>[1];
    await expect(startControl(dataDir, parts)).rejects.toThrow(ConfigError);
    await expect(startControl(dataDir, parts)).rejects.toThrow(
      /^The control socket of the data folder .+ cannot be created \(ERR_FS_EISDIR\)\. Let this/,
    );
  } finally {
    await rm(dataDir, { recursive: true });
  }
});
