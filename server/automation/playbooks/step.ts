import type { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import type { Server } from '../../server.ts'

/** The kinds of objects that a run can be about. */
export const OBJECT_COLLECTIONS = ['entities', 'observables', 'files'] as const

/** What a run is about: one visible object of its owner. */
export interface Subject {
  readonly collection: (typeof OBJECT_COLLECTIONS)[number]
  readonly id: string
}

/** The result of a step that has ended. */
export interface StepResult {
  /** One of the outcomes that the kind declares. */
  readonly outcome: string
  /** Ids, counts, outcomes and own words; never the texts of other objects. Later steps can use them in templates. */
  readonly output: Readonly<Record<string, unknown>>
  /** Shown with the run, which ends as WARNING. */
  readonly warnings?: readonly string[]
}

/** A step that waits for something elsewhere, without occupying anything. */
export interface Waiting {
  /** What `resume` receives again; stored with the step. */
  readonly waitsFor: Readonly<Record<string, unknown>>
  /** In how many seconds it is looked at next, unless it is woken earlier. */
  readonly retryInSeconds: number
}

/** What a step knows of its run. */
export interface StepContext {
  /** In the transaction of the step, with the permissions and the sight of the owner, and with the cause of the run. */
  readonly ctx: Context
  readonly subject: Subject
  readonly playbook: { readonly id: number; readonly name: string; readonly version: number }
  /** The id of the run, and that of the step in its playbook. */
  readonly run: string
  readonly step: string
  /** The same for each attempt of this step of this run: a key for whatever must happen once. */
  readonly key: string
  readonly isDryRun: boolean
  /** The results of earlier steps by their id; steps that were skipped have none. */
  readonly results: ReadonlyMap<string, StepResult>
  /** Replaces placeholders such as `{title}`. Values are inserted as they are, unless `encode` is given. */
  fill(template: string, encode?: (value: string) => string): Promise<string>
}

/** What a call to another server needs, when no transaction is open. */
export interface CallContext extends Omit<StepContext, 'ctx'> {
  readonly server: Server
  readonly signal: AbortSignal
  /** What `act` left for it. */
  readonly prepared: Readonly<Record<string, unknown>>
}

/** Something that a playbook can do, with the parameters `P`. */
export interface StepKind<P extends z.ZodObject = z.ZodObject> {
  /** For example `add_to`. */
  readonly kind: string
  readonly title: string
  readonly description: string
  /** The words that later steps can ask for, and what each means. */
  readonly outcomes: Readonly<Record<string, string>>
  /** The outcomes after which the run ends without further steps. */
  readonly ends?: readonly string[]
  /** The kinds of objects that it can work on. */
  readonly collections: readonly Subject['collection'][]
  readonly parameters: P
  /** The parameters that are texts with placeholders, as paths such as `subject`. */
  readonly templates: readonly string[]
  /** The permissions that its owner needs, asked for when the playbook is saved and when it runs. */
  permissions(parameters: z.output<P>): readonly string[]
  /**
   * Does it in the transaction of the run: an effect and the record of the step commit together. In a dry run everything is rolled back
   * afterwards, and nothing outside the database may happen: `output` then says what would have happened.
   */
  act(step: StepContext, parameters: z.output<P>): Promise<StepResult | Waiting | CallNeeded>
  /** Looks at a step that waits. */
  resume?(step: StepContext, parameters: z.output<P>, waitsFor: Waiting['waitsFor']): Promise<StepResult | Waiting>
  /** Calls another server after `act` committed; may be repeated with the same key if the process dies during the call. */
  call?(step: CallContext, parameters: z.output<P>): Promise<StepResult>
}

/** What `act` gives if the step goes on with `call`. */
export interface CallNeeded {
  readonly prepared: Readonly<Record<string, unknown>>
}

/** The failure of a step, with a sentence for its readers. Others are internal errors. */
export class StepError extends Error {
  override name = 'StepError'
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean

  constructor(message: string, { isPassing = false }: { readonly isPassing?: boolean } = {}) {
    super(message)
    this.isPassing = isPassing
  }
}

/** Gives a kind of steps the type of its parameters. */
export const defineStep = <P extends z.ZodObject>(kind: StepKind<P>): StepKind<P> => kind
