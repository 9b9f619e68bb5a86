import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';

// The command of docs/operate/ach.md, with a real lftp and OpenSSH's sftp-server on a pipe instead of a
// bank. Debian: lftp and openssh-sftp-server.

const servers = ['/usr/lib/openssh/sftp-server', '/usr/libexec/sftp-server'];
const server = servers.find((it) => existsSync(it));
const lftp = (process.env.PATH ?? '')
  .split(':')
  .map((it) => join(it, 'lftp'))
  .find((it) => existsSync(it));

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'svc-sftp-'));
  for (const name of ['ours/outbox', 'ours/inbox', 'bank/to-bank', 'bank/from-bank']) {
    await mkdir(join(root, name), { recursive: true });
  }
});
afterEach(() => rm(root, { recursive: true, force: true }));

test.skipIf(server === undefined || lftp === undefined)(
  'the documented command moves files to the bank and from it (needs lftp and sftp-server)',
  async () => {
    const page = await readFile(new URL('../../../docs/operate/ach.md', import.meta.url), 'utf8');
    const [, commands] = /^ *lftp -e '([^']+)'/m.exec(page) ?? [];
    if (commands === undefined) throw new Error('the page has no lftp command');
    const connect = join(root, 'connect.sh');
    await writeFile(connect, `#!/bin/sh\nexec ${server} -d ${join(root, 'bank')}\n`);
    await chmod(connect, 0o700);
    await writeFile(join(root, 'ours/outbox/ACH-2026-02-02-A.txt'), 'ours');
    await writeFile(join(root, 'bank/from-bank/RETURN.txt'), 'theirs');

    const script = `set sftp:connect-program ${connect}; ${commands}`;
    const args = ['-e', script, '-u', 'user,password', 'sftp://127.0.0.1'];
    await promisify(execFile)(String(lftp), args, { cwd: join(root, 'ours'), timeout: 30_000 });

    const names = async (folder: string) => readdir(join(root, folder));
    expect(await names('bank/to-bank')).toEqual(['ACH-2026-02-02-A.txt']);
    expect(await names('ours/inbox')).toEqual(['RETURN.txt']);
    expect([...(await names('ours/outbox')), ...(await names('bank/from-bank'))]).toEqual([]);
  },
);
