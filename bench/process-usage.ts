import { readdirSync, readFileSync } from 'node:fs';
import { openDatabase, row, sql, text } from '@svc/db';

// Reads the CPU time and memory of processes from Linux's /proc.

// CPU time is counted in ticks of 10 ms.
const ticksPerSecond = 100;
const pageBytes = 4_096;

/** User and system time of a process so far; 0 when it has ended. */
export function cpuSeconds(pid: number): number {
  return secondsOf(fieldsOf(pid).slice(11, 13));
}

/** CPU time of a PostgreSQL server with all of its processes, including those that have ended. */
export function serverCpuSeconds(server: number): number {
  const children = processIds().filter((pid) => Number(fieldsOf(pid)[1]) === server);
  const running = children.reduce((sum, pid) => sum + exactCpuSeconds(pid), 0);
  return running + secondsOf(fieldsOf(server).slice(11, 15));
}

/** The resident memory of a process in MB (1,000,000 bytes). */
export function residentMb(pid: number): number {
  const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]);
  return (pages * pageBytes) / 1e6;
}

/** Returns the process id of the PostgreSQL server that has this database. */
export async function findServerProcess(databaseUrl: string): Promise<number> {
  const db = await openDatabase({ url: databaseUrl }, { pool: 1 });
  const backend = await db.one(
    row('backend', { pid: text }),
    sql`select pg_backend_pid()::text as pid`,
  );
  const server = Number(fieldsOf(Number(backend.pid))[1]);
  await db.close();
  return server;
}

/** Returns the exact CPU time of a process with one thread, for which Linux counts nanoseconds; 0 when it has ended. */
function exactCpuSeconds(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e9;
  } catch {
    return 0;
  }
}

function secondsOf(ticks: readonly string[]): number {
  return ticks.reduce((sum, it) => sum + Number(it), 0) / ticksPerSecond;
}

function processIds(): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map(Number);
}

/** The fields of `/proc/<pid>/stat` from the state on; empty for a process that has ended. */
function fieldsOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
