import type { Queryable } from '@svc/db';

export interface BankFile {
  readonly name: string;
  readonly content: Buffer;
}

/** The files that a processor exchanges with a bank, for people who carry them by hand. */
export interface BankFiles {
  /**
   * Returns the content of a file of ours, or of the bank.
   * @throws Refusal if there is none, or this machine does not reach it
   */
  read(q: Queryable, fileId: string): Promise<BankFile>;
  /**
   * Stores a file of the bank where it is read within a minute.
   * @throws Refusal with the line and the reason
   */
  receive(file: BankFile): Promise<void>;
}
