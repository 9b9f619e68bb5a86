/** A file that is rejected as a whole. The message names the line and the reason. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
  readonly line: number;
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** A part of a file that cannot be used as it is: an entry, or the statement of one account. */
export class BadEntry extends Error {
  override readonly name = 'BadEntry';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}
