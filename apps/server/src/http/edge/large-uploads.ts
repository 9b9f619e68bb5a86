import { once } from 'node:events';
import type { Clock } from '@svc/runtime';
import type { Reply } from '../app.ts';
import { RefusalWithHeaders } from '../problem.ts';
import { FairQueue } from './fair-queue.ts';
import { requireOpen } from './limit-load.ts';

const mostWaitMs = 20_000;

/**
 * Runs one call with a large file at a time, from before its body is read until its response is sent, because
 * the file and the data parsed from it are in memory. Others wait before their files are read.
 */
export function createLargeUploads(clock: Clock): (caller: string, reply: Reply) => Promise<void> {
  const queue = new FairQueue({ clock, atOnce: 1, perCaller: 1 });
  return (caller, reply) =>
    new Promise((resolve, reject) => {
      const untilSent = () => {
        resolve();
        return once(reply.raw, 'close');
      };
      const turn = { mostWaitMs, expired, requireCaller: requireOpen(reply) };
      queue.run(caller, untilSent, turn).catch(reject);
    });
}

function expired(): RefusalWithHeaders {
  return new RefusalWithHeaders(
    'rate_limited',
    { 'retry-after': '10' },
    { message: 'Another large file is being read. Send this one again in a moment.' },
  );
}
