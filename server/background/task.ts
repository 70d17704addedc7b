import type { z } from 'zod'
import { faultsOf, messageOf } from '../engine/body.ts'
import type { Cause } from '../engine/cause.ts'
import { badRequest } from '../engine/errors.ts'
import type { Item } from '../engine/resource.ts'
import type { Server } from '../server.ts'

/** What a run gets to work with. */
export interface Job<P = Item> extends Server {
  /** The id of the run. */
  readonly id: string
  /** Counts from 1; higher where earlier attempts failed or their worker was lost. */
  readonly attempt: number
  readonly parameters: P
  /** Who started the run; null when its schedule did. */
  readonly callerId: number | null
  /** Why automation started the run; what it writes carries it on. */
  readonly cause?: Cause | undefined
  /** Aborts when the run is revoked, takes too long, or its worker stops; the handler then throws `signal.reason`. */
  readonly signal: AbortSignal
  /** Tells how much is done, from 0 to 1. */
  progress(fraction: number): void
  /** Adds a line to the log that users see. */
  log(line: string): void
}

/** How a run ended that did what it could; anything else is thrown. */
export interface Outcome {
  readonly result: unknown
  /** Something that readers should look at, or a limit that was reached before the end. */
  readonly outcome?: 'WARNING' | 'CAP_REACHED'
}

/** What the author of background work writes. */
export interface TaskDefinition<P extends z.ZodObject> {
  readonly type: string
  readonly doc: string
  /** Must accept what it made of an input, because runs are read again when they start. */
  readonly parameters: P
  /** A task of this type has at most one run at a time. */
  readonly isUnique?: boolean
  /** How often a failed run is tried again. */
  readonly retryLimit?: number
  /** Seconds before it is tried again, about doubled each time. */
  readonly retryDelay?: number
  /** How long an attempt may take. */
  readonly expireInSeconds?: number
  run(job: Job<z.output<P>>): Promise<Outcome>
}

/** A kind of background work: a definition with its defaults filled in. */
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

/** A failure whose message is meant for the readers of the run; of any other they only learn that there was one. */
export class TaskError extends Error {
  override name = 'TaskError'
  /** Another attempt would fail in the same way. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal = false, ...options }: ErrorOptions & { isFinal?: boolean } = {}) {
    super(message, options)
    this.isFinal = isFinal
  }
}

/** Reads parameters as the type of task has them; every bad one is named. */
export function readParameters({ parameters }: Task, given: Item): Item {
  const parsed = parameters.safeParse(given, { error: messageOf })
  if (!parsed.success) throw badRequest(faultsOf(parsed.error, ['parameters']))
  return parsed.data
}
