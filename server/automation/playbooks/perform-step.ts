import { sql } from 'kysely'
import { messageOf } from '../../engine/body.ts'
import { ApiError, isDatabaseAway, isTransient, missing, refusal } from '../../engine/errors.ts'
import { matchesQuery } from './matches.ts'
import { lackingOf, permissionsOf } from './saved-faults.ts'
import { type StepContext, StepError, type StepKind, type StepResult, type Waiting } from './step.ts'
import { kindOf } from './step-kinds.ts'
import { type OnlyIf, parametersOf, type StoredStep } from './stored-step.ts'

/** How an attempt of a step ended. */
export type Performed =
  | { readonly kind: 'skipped' }
  | { readonly kind: 'done'; readonly result: StepResult; readonly isLast: boolean }
  | { readonly kind: 'waiting'; readonly waiting: Waiting }
  | { readonly kind: 'call'; readonly prepared: Readonly<Record<string, unknown>> }
  | Failed

/** A failure, with a sentence for readers. */
export interface Failed {
  readonly kind: 'failed'
  readonly message: string
  /** Whether another attempt may succeed. */
  readonly isPassing: boolean
  /** An error that readers are not shown, for the log. */
  readonly cause?: unknown
}

/** Parameters as their kind reads them. */
type Parsed = Parameters<StepKind['act']>[1]

/**
 * Does a step, or looks at one that waits. If it fails, the transaction goes on as if it had not been tried. Errors that are not the fault of
 * the step are thrown.
 */
export async function performStep(
  step: StepContext,
  stored: StoredStep,
  waitsFor: Waiting['waitsFor'] | null,
): Promise<Performed> {
  const { db } = step.ctx
  await sql`savepoint step`.execute(db)
  try {
    const performed = await perform(step, stored, waitsFor)
    await sql`release savepoint step`.execute(db)
    return performed
  } catch (error) {
    if (isTransient(error) || isDatabaseAway(error)) throw error
    await sql`rollback to savepoint step`.execute(db)
    await sql`release savepoint step`.execute(db)
    return failureOf(error)
  }
}

async function perform(
  step: StepContext,
  stored: StoredStep,
  waitsFor: Waiting['waitsFor'] | null,
): Promise<Performed> {
  if (waitsFor === null && !(await isWanted(step, stored.only_if))) return { kind: 'skipped' }
  const kind = requireKind(stored)
  const lacking = lackingOf(step.ctx.caller, permissionsOf(stored))
  if (lacking.length > 0) throw new StepError(missing(lacking).message)
  const parameters = readParameters(kind, stored)
  if (waitsFor !== null && kind.resume) return ended(kind, await kind.resume(step, parameters, waitsFor))
  return ended(kind, await kind.act(step, parameters))
}

/** How a step ended, given what its kind returned. */
export function ended(kind: StepKind, given: Awaited<ReturnType<StepKind['act']>>): Performed {
  if ('waitsFor' in given) return { kind: 'waiting', waiting: given }
  if ('prepared' in given) return { kind: 'call', prepared: given.prepared }
  return { kind: 'done', result: given, isLast: kind.ends?.includes(given.outcome) ?? false }
}

/** The kind of a stored step. Kinds of a later version of the platform may be missing. */
export function requireKind({ kind: name }: StoredStep): StepKind {
  const kind = kindOf(name)
  if (!kind) throw new StepError(`There are no steps of the kind '${name}' in this installation.`)
  return kind
}

/** The parameters of a stored step as its kind reads them. */
export function readParameters({ parameters }: StepKind, stored: StoredStep): Parsed {
  const parsed = parameters.safeParse(parametersOf(stored), { error: messageOf })
  if (parsed.success) return parsed.data as Parsed
  const faults = parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  throw new StepError(`Its parameters are no longer valid: ${faults.join('. ')}. Save the playbook again.`)
}

async function isWanted(step: StepContext, conditions: readonly OnlyIf[]): Promise<boolean> {
  for (const condition of conditions) {
    const holds =
      'step' in condition
        ? condition.outcome.includes(step.results.get(condition.step)?.outcome ?? '')
        : await matchesQuery(step.ctx, step.subject, condition.query)
    if (!holds) return false
  }
  return true
}

const INTERNAL = 'An internal error ended the step; the log of the server has more.'

/** A failure in the words of the error, if these are meant for readers. */
export function failureOf(error: unknown): Failed {
  if (error instanceof StepError) return { kind: 'failed', message: error.message, isPassing: error.isPassing }
  const known = refusal(error)
  if (known && known.status < 500) return { kind: 'failed', message: known.message, isPassing: false }
  if (error instanceof ApiError || known)
    return { kind: 'failed', message: known?.message ?? INTERNAL, isPassing: true }
  return { kind: 'failed', message: INTERNAL, isPassing: false, cause: error }
}
