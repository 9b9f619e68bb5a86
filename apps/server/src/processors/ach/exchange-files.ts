import { randomBytes } from 'node:crypto';
import type { UnitOfWork } from '../../context.ts';
import { correctAccount } from '../../domain/payments/correct-account.ts';
import { receiveEvents } from '../../domain/payments/receive-events.ts';
import type { Lane } from '../../jobs/lane.ts';
import { BadFile } from '../../statements/bad-file.ts';
import { runUnitOfWork } from '../../unit-of-work.ts';
import type { LaneDeps } from '../define-processor.ts';
import type { AchSettings } from './ach-settings.ts';
import { bookSettledFile } from './book-cash.ts';
import { eventsOf, settleEntries } from './entries.ts';
import { type AchFolder, openAchFolder, UnreadableFile } from './folder.ts';
import { hasRejected, receiveFile, recordRejected } from './receive-files.ts';
import {
  assembleFile,
  formatFile,
  listOpenFiles,
  listRefusedFiles,
  recordSent,
  recordStaged,
} from './send-files.ts';

const everyMs = 60_000;
const settledAtOnce = 1_000;
// A file that is still being copied looks truncated. It is rejected only if it stays bad for this long.
const copiedWithinMs = 30_000;

interface SuspectFile {
  readonly content: Buffer;
  readonly since: Date;
}

export const achLaneName = 'ACH files';

export function achLane(deps: LaneDeps, settings: AchSettings): Lane {
  const exchange = createExchange(deps, settings);
  return { name: achLaneName, everyMs, batch: exchange };
}

/**
 * One pass: reads what the bank has sent, lets debits succeed whose days have passed, and sends what is
 * due. In this order, so that a debit cannot succeed while its return is in the inbox. Any number of
 * processes may do this at the same time. Returns how much was done.
 */
export function createExchange(
  deps: LaneDeps,
  settings: AchSettings,
  folder: AchFolder = openAchFolder(settings.folder),
): () => Promise<number> {
  const { db, clock, log, service } = deps;
  /** Bad files by name: the bytes, and when this process saw them first. */
  let suspectFiles = new Map<string, SuspectFile>();
  /** Errors with single files in this pass. The lane reports the first one. */
  const failures: unknown[] = [];

  const inTransaction = <T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T> =>
    runUnitOfWork({ db, service }, clock.now(), work);

  /** Returns the number of files that were put away. */
  async function readInbox(names: readonly string[]): Promise<number> {
    const before = suspectFiles;
    suspectFiles = new Map();
    let done = 0;
    for (const name of names) {
      try {
        if (await readOne(name, before.get(name))) done += 1;
      } catch (error) {
        // The database is unavailable, or this is a bug. The other files are still read, and files are still sent.
        suspectFiles.set(name, { content: Buffer.alloc(0), since: clock.now() });
        failures.push(error);
      }
    }
    return done;
  }

  async function readOne(name: string, before?: SuspectFile): Promise<boolean> {
    let content: Buffer | undefined;
    try {
      content = await folder.read(name);
      if (!content) return false;
      const file = { name, content };
      const read = await inTransaction(async (uow) => {
        const received = await receiveFile(uow, file, settings);
        await receiveEvents(uow, 'ach', received.events);
        for (const it of received.corrections) await correctAccount(uow, it);
        return received;
      });
      await folder.putAway(name, 'archive', read.id);
      const { id, returns, corrections, exceptions } = read;
      const counts = { returns, changes: corrections.length, exceptions };
      log.info({ file: name, new: read.isNew, ...counts }, 'ACH file read');
      if (exceptions > 0) log.error({ file: name, id, exceptions }, 'ACH entries not applied');
      return true;
    } catch (error) {
      if (!(error instanceof BadFile || error instanceof UnreadableFile)) throw error;
      const now = clock.now();
      const bytes = content ?? Buffer.from(`${name} ${error.message}`);
      const since = before?.content.equals(bytes) ? before.since : now;
      if (now.getTime() - since.getTime() < copiedWithinMs) {
        suspectFiles.set(name, { content: bytes, since });
        return false;
      }
      const reason =
        error instanceof BadFile
          ? error.message
          : `It cannot be read (${error.code}). Let the service's user read it, and put it back into inbox.`;
      const id = await inTransaction((uow) =>
        recordRejected(uow, { name, content: bytes }, reason),
      );
      await folder.putAway(name, 'rejected', id);
      log.error({ file: name, reason }, 'ACH file rejected');
      return true;
    }
  }

  async function settle(): Promise<number> {
    return inTransaction(async (uow) => {
      if (await hasRejected(uow.tx)) return 0;
      const settled = await settleEntries(uow.tx, { now: uow.now, limit: settledAtOnce });
      await receiveEvents(uow, 'ach', settled.flatMap(eventsOf));
      return settled.length;
    });
  }

  async function send(): Promise<number> {
    // Withdrawn before their entries are in another file.
    for (const name of await listRefusedFiles(db, clock.now())) await folder.withdraw(name);
    const assembled = await inTransaction((uow) => assembleFile(uow, settings));
    for (const file of await listOpenFiles(db)) {
      let { stagedAs } = file;
      const { id, name } = file;
      if (stagedAs === null) {
        stagedAs = `${name}.${randomBytes(6).toString('hex')}`;
        const text = await formatFile(db, file, { settings, vault: service.vault });
        await folder.stage({ name, stagedAs, text });
        const isOurs = await inTransaction((uow) => recordStaged(uow, id, stagedAs ?? ''));
        if (!isOurs) {
          await folder.unstage(stagedAs);
          continue;
        }
      }
      await folder.publish({ name, stagedAs });
      await inTransaction((uow) => recordSent(uow, id));
      await folder.clear(name);
      log.info({ file: name }, 'ACH file in the outbox');
    }
    return assembled;
  }

  return async () => {
    const names = await folder.incoming();
    const read = await readInbox(names);
    // A file that could not be read may hold a return of what would succeed now.
    const settled = suspectFiles.size === 0 ? await settle() : 0;
    const booked = await inTransaction(bookSettledFile);
    const sent = await send();
    const [failure] = failures.splice(0);
    if (failure) throw failure;
    return read + settled + booked + sent;
  };
}
