import { expect, test, vi } from 'vitest';
import { processEnvironment } from './environment.ts';

vi.mock('node:os', () => ({
  // What Node throws for a uid without an entry in /etc/passwd if HOME is not set.
  homedir() {
    throw new Error('A system error occurred: uv_os_homedir returned ENOENT');
  },
}));

test('a user without an entry in /etc/passwd has no home folder', () => {
  expect(processEnvironment().home).toBeNull();
});
