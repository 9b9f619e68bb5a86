import type { SvcEnvironment } from '@svc/contract';
import type { Tx } from '@svc/db';
import type { Log, Vault } from '@svc/runtime';
import type { AddressPolicy } from '@svc/webhooks';
import type { Creditor } from './creditor.ts';
import type { DebitAccounts } from './debit-accounts.ts';
import type { Actor } from './domain/access/actor.ts';
import type { OutgoingMail } from './domain/events/queue-mails.ts';
import type { IdentityProvider } from './domain/operators/identity-provider.ts';
import type { BankFiles } from './domain/payments/bank-files.ts';
import type { Processor } from './domain/payments/processor.ts';
import type { ProcessorRecords } from './domain/payments/processor-records.ts';
import type { Simulator } from './domain/payments/simulator.ts';
import type { PayoutRail } from './domain/payouts/rail.ts';
import type { Texts } from './domain/texts/text-sender.ts';
import type { IdentityFields } from './domain/underwriting/identity.ts';
import type { Retention } from './jobs/retention-settings.ts';
import type { ApprovalLimits } from './operator/approvals/approval-settings.ts';

/**
 * The transaction of a command, its time, and the events that it emits. Functions that write take
 * this. Functions that only read take `tx` and the ids to read, so they cannot depend on the caller.
 */
export interface UnitOfWork {
  readonly tx: Tx;
  /** Wall time, read once per request or tick. */
  readonly now: Date;
  readonly service: Service;
  readonly outbox: Outbox;
}

/**
 * The messages and mails that the command has emitted. They are not in the database yet:
 * `flushOutbox` writes them before the commit, one statement for the messages and one for the mails.
 */
interface Outbox {
  readonly messages: OutgoingMessage[];
  readonly mails: OutgoingMail[];
}

/** One request, or one command of the operator. */
export interface Ctx<A extends Actor = Actor> extends UnitOfWork {
  readonly actor: A;
  readonly requestId: string;
  /** The client's address, taken from trusted proxies; null for jobs and operator commands. */
  readonly address: string | null;
  readonly log: Log;
}

/**
 * Work that runs in several short transactions, with calls to the processor between them. Each step sees what others
 * have committed since, so it locks and checks again.
 */
export interface Steps {
  /** Wall time, the same for all steps. */
  readonly now: Date;
  readonly service: Service;
  readonly log: Log;
  /** Calls `run` once after `ms`. Returns a function that cancels it. */
  after(ms: number, run: () => void): () => void;
  /**
   * Throws if the caller has closed the connection, so that long work can end. Call it only where a
   * repeated call continues, and never between the intent of a payment and its outcome.
   */
  requireCaller(): void;
  /** Runs one step in one transaction, and sends its events after the commit. */
  step<T>(work: (uow: UnitOfWork) => Promise<T>): Promise<T>;
}

/** The steps of one request. */
export interface RequestSteps<A extends Actor = Actor> extends Steps {
  readonly actor: A;
  step<T>(work: (ctx: Ctx<A>) => Promise<T>): Promise<T>;
}

/** Everything that is the same for all requests of this process. */
export interface Service {
  readonly environment: SvcEnvironment;
  /** `http://localhost:4000`, without a path or a trailing slash. */
  readonly publicOrigin: string;
  /** The origin of the operator's console; null where it is off. */
  readonly operatorOrigin: string | null;
  /**
   * The identity provider at which people of the operator's console sign in; null if they sign in at the console
   * itself.
   */
  readonly identityProvider: IdentityProvider | null;
  readonly vault: Vault;
  /** True if names and addresses are also stored in clear text, because a service before 0.3.0 may read them. */
  readonly keepsClearNames: boolean;
  readonly creditor: Creditor;
  /** The privacy notice's URL, with `{locale}` where the language goes; null if the operator has set none. */
  readonly privacyUrl: string | null;
  readonly egressIps: readonly string[];
  readonly retention: Retention;
  /**
   * The limits above which a second person must approve an operator's command; null where there is only one person.
   */
  readonly approvals: ApprovalLimits | null;
  readonly debitAccounts: DebitAccounts;
  /** The processor that takes payments; null if none is set up, and then no plans are offered. */
  readonly processor: Processor | null;
  /** The records of every processor, because those of an earlier one stay. */
  readonly processorRecords: readonly ProcessorRecords[];
  /** The processor, if it is the sandbox's simulator. */
  readonly simulator: Simulator | null;
  /** Sends payouts to portals; null where an operator sends them by hand. */
  readonly payoutRail: PayoutRail | null;
  /** The files that the processor exchanges with a bank; left out for one that has none. */
  readonly bankFiles?: BankFiles;
  /** Sends reminders by text message; null where they are not offered. */
  readonly texts: Texts | null;
  /** True if underwriting decisions come from the operator's decision service instead of our own rules. */
  readonly decidesOutside: boolean;
  /** The facts about the tenant that each request to the decision service contains. */
  readonly decisionFields: IdentityFields;
  /** An application is decided only once the tenant has added an account or card. */
  readonly decisionNeedsAccount: boolean;
  /** An application is approved only once it is known whether the Military Lending Act covers the tenant. */
  readonly needsMilitaryLookup: boolean;
  /** The toll-free number for borrowers covered by the Military Lending Act. Null: they are offered no plans. */
  readonly militaryPhone: string | null;
  /** A flagged application waits for an operator in the review queue. */
  readonly holdsFlagged: boolean;
  /** Our engine delivers webhooks; false when they are handed to a Svix server. */
  readonly deliversWebhooks: boolean;
  /** How long webhook messages are kept, in milliseconds. */
  readonly webhookRetentionMs: number;
  readonly webhookPolicy: AddressPolicy;
  /** The engine's `publish`: stores messages and their deliveries in the caller's transaction. */
  readonly publish: Publish;
  /** The engine's `wake`: sends the messages that this transaction has published. Call it after the commit. */
  readonly wake: (tx: Tx, messages: readonly OutgoingMessage[]) => void;
}

export type Publish = (tx: Tx, messages: readonly OutgoingMessage[], now: Date) => Promise<void>;

export interface OutgoingMessage {
  readonly id: string;
  readonly owner: string;
  readonly subject: string | null;
  readonly type: string;
  readonly channels?: readonly string[];
  readonly body: string;
  readonly custom?: boolean;
  readonly operational?: boolean;
  readonly exceptEndpointId?: string;
}
