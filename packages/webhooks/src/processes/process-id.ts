import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * A name for this process in the fleet. On Linux it says which process that is, so that another one
 * on the same machine can tell at once when it is gone; elsewhere only its silence tells.
 */
export function newNodeId(): string {
  const random = randomBytes(8).toString('hex');
  const place = thisPlace();
  const started = place === undefined ? undefined : startOf(process.pid);
  return started === undefined ? random : [place, process.pid, started, random].join('.');
}

/** True when the process of this id has certainly ended; false also when nobody here can know. */
export function hasEnded(nodeId: string): boolean {
  const [place, pid, started] = nodeId.split('.');
  if (pid === undefined || place !== thisPlace()) return false;
  return startOf(Number(pid)) !== started;
}

/** Where process ids mean the same: this start of the machine, this namespace. */
function thisPlace(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    const namespace = readlinkSync('/proc/self/ns/pid');
    return createHash('sha256').update(boot).update(namespace).digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}

/** When a running process started, in ticks since the machine did: ids are given out again. */
function startOf(pid: number): string | undefined {
  try {
    // proc(5): the name in parentheses may hold spaces; state is field 3, starttime field 22.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
