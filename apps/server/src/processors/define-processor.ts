import type { SvcEnvironment } from '@svc/contract';
import type { Database, Sql } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import type { Creditor } from '../creditor.ts';
import type { ProcessorRecords } from '../domain/payments/processor-records.ts';
import type { Lane } from '../jobs/lane.ts';
import type { Command } from '../operator/command.ts';
import type { Section, Settings } from '../settings.ts';

export interface ProcessorDeps {
  readonly db: Database;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
  readonly creditor: Creditor;
  readonly environment: SvcEnvironment;
}

export interface LaneDeps extends Pick<ProcessorDeps, 'db' | 'log'> {
  readonly clock: Clock;
  readonly service: Service;
}

/** The parts of an opened processor that the service uses. `simulator` has what only the simulator can do. */
export type OpenedProcessor = Pick<Service, 'processor' | 'simulator' | 'payoutRail' | 'bankFiles'>;

/**
 * A processor as its folder registers it. Code outside of the folder knows nothing else about it.
 *
 * @template Value its settings in the configuration, with which the functions are called
 */
export interface ProcessorDefinition<Value = unknown> extends ProcessorRecords {
  /** The value of SVC_PROCESSOR. Also the name that is stored with each call. */
  readonly name: string;
  /** What the name stands for, in the documentation of SVC_PROCESSOR: the end of a sentence. */
  readonly description: string;
  /** False for the simulator, which production refuses. */
  readonly movesMoney: boolean;
  /** Undefined in the configuration unless SVC_PROCESSOR has the name. */
  readonly settings?: Section<Settings, true>;
  open(settings: Value, deps: ProcessorDeps): Promise<OpenedProcessor>;
  /** For `svc-admin check`. Resolves with a sentence about what works; rejects with one for the operator. */
  check(settings: Value): Promise<string>;
  /** What a machine with a worker must have. Without it a worker does not start. */
  requirements?(settings: Value): readonly Requirement[];
  lanes?(settings: Value, deps: LaneDeps): readonly Lane[];
  /** When the oldest work of each lane became due: a query of one value, by the lane's name. */
  readonly dueSince?: Readonly<Record<string, Sql>>;
  /** Metrics of its tables' contents, by their names. */
  readonly gauges?: Readonly<Record<string, Gauge>>;
  readonly commands: readonly Command[];
  /** The actions that its commands write into the audit log of the installation. */
  readonly auditActions: readonly string[];
}

interface Requirement {
  /** The name of the check, such as `folder`. */
  readonly name: string;
  /** Resolves with a sentence about what works. Rejects with one for the operator. */
  check(): Promise<string>;
}

export interface Gauge {
  readonly help: string;
  /** The name of the label. */
  readonly label: string;
  /** A query of one count for each value of the label. It reads an index. */
  readonly counts: Readonly<Record<string, Sql>>;
}
