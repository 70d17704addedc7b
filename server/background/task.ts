import type { z } from 'zod'
import { faultsOf, messageOf } from '../engine/body.ts'
import type { Cause } from '../engine/cause.ts'
import type { Item } from '../engine/context.ts'
import { ApiError, badRequest, refusal } from '../engine/errors.ts'
import type { Server } from '../server.ts'

/** The context of a run. */
export interface Job<P = Item> extends Server {
  /** The id of the run. */
  readonly id: string
  /** From 1; higher if earlier attempts failed or lost their worker. */
  readonly attempt: number
  readonly parameters: P
  /** The user who started the run; null if its schedule did. */
  readonly callerId: number | null
  /** The automation that started the run; logged with everything it writes. */
  readonly cause?: Cause | undefined
  /** Aborts when the run is revoked, takes too long, or its worker stops; the handler then throws `signal.reason`. */
  readonly signal: AbortSignal
  /** Reports progress, from 0 to 1. */
  progress(fraction: number): void
  /** Adds a line to the log that users see. */
  log(line: string): void
}

/** The result of a run that completed; failures are thrown. */
export interface Outcome {
  readonly result: unknown
  /**
   * A warning for readers, or a limit that ended the run early. WAITING: the work goes on elsewhere, without occupying a worker; what
   * does it ends the run.
   */
  readonly outcome?: 'WARNING' | 'CAP_REACHED' | 'WAITING'
}

/** The definition of a type of task. */
export interface TaskDefinition<P extends z.ZodObject> {
  readonly type: string
  readonly doc: string
  /** Must accept its own output, because parameters are parsed again when a run starts. */
  readonly parameters: P
  /** A task of this type has at most one run at a time. */
  readonly isUnique?: boolean
  /** How often a failed run is retried. */
  readonly retryLimit?: number
  /** The seconds before a retry, about doubled each time. */
  readonly retryDelay?: number
  /** The time limit of an attempt. */
  readonly expireInSeconds?: number
  run(job: Job<z.output<P>>): Promise<Outcome>
}

/** A type of task: a definition with its defaults. */
// biome-ignore lint/suspicious/noExplicitAny: the tasks of all parameters stand in one registry
export type Task<P extends z.ZodObject = any> = Required<TaskDefinition<P>>

export type TaskTypes = ReadonlyMap<string, Task>

/** Fills in the defaults. */
export const defineTask = <P extends z.ZodObject>(definition: TaskDefinition<P>): Task<P> => ({
  isUnique: false,
  retryLimit: 2,
  retryDelay: 10,
  expireInSeconds: 3600,
  ...definition,
})

/** An error whose message is shown to the readers of the run. The messages of other errors are not shown. */
export class TaskError extends Error {
  override name = 'TaskError'
  /** Whether a retry would fail in the same way. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {}) {
    super(message, options)
    this.isFinal = isFinal
  }
}

/** Whether the message of an error is meant for the readers of runs and of the system status. */
export const isForReaders = (error: unknown): error is TaskError | ApiError =>
  error instanceof TaskError || (error instanceof ApiError && error.status < 500)

/** The message of an error for readers. Other messages may contain SQL or values, so that a plain sentence replaces them. */
export function messageForReaders(error: unknown, otherwise: string): string {
  if (isForReaders(error)) return error.message
  const shortage = refusal(error)
  return shortage?.status === 507 ? shortage.message : otherwise
}

/** Parses parameters; the error names every invalid one. */
export function readParameters({ parameters }: Task, given: Item): Item {
  const parsed = parameters.safeParse(given, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, ['parameters']))
  return parsed.data
}
