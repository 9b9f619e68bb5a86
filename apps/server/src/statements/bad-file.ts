/** A file that is rejected as a whole. The message names the line and the reason. */
export class BadFile extends Error {
  override readonly name = 'BadFile';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`Line ${line}: ${reason}`);
    this.line = line;
  }
}

/** An entry that a person has to look at. The rest of its file is applied. */
export class BadEntry extends Error {
  override readonly name = 'BadEntry';
  readonly line: number;

  constructor(line: number, reason: string) {
    super(reason);
    this.line = line;
  }
}
