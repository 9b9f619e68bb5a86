import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';

/**
 * Creates an id for this process in heartbeats and leases. On Linux it contains the process's own number
 * and start time, so that another process on this machine can tell at once when this one has ended.
 * Elsewhere the others have to wait until its heartbeats stop.
 */
export function newProcessId(): string {
  const random = randomBytes(8).toString('hex');
  const machine = thisMachine();
  const started = machine === undefined ? undefined : startTimeOf(process.pid);
  return started === undefined ? random : [machine, process.pid, started, random].join('.');
}

/** True when the process with this id has certainly ended; false also when this machine cannot know. */
export function hasEnded(processId: string): boolean {
  const [machine, pid, started] = processId.split('.');
  if (pid === undefined || machine !== thisMachine()) return false;
  return startTimeOf(Number(pid)) !== started;
}

/** The scope in which a pid means one process: this boot of the machine, this pid namespace. */
function thisMachine(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    const namespace = readlinkSync('/proc/self/ns/pid');
    return createHash('sha256').update(boot).update(namespace).digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}

/** When a running process started, in clock ticks since boot. Needed because pids are reused. */
function startTimeOf(pid: number): string | undefined {
  try {
    // proc(5): the name in parentheses may contain spaces; state is field 3, starttime field 22.
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
