import { type Kysely, sql } from 'kysely'
import type { StepResult, Subject } from '../step.ts'
import type { StoredStep } from '../stored-step.ts'
import { type ClaimedRun, LEASE } from './claim.ts'

/** A step that was begun. */
export interface BegunStep {
  readonly position: number
  readonly step: string
  readonly state: 'WAITING' | 'CALLING' | 'SUCCESS' | 'WARNING' | 'FAILURE' | 'SKIPPED'
  readonly outcome: string | null
  readonly output: StepResult['output'] | null
  readonly error: string | null
  readonly waits_for: Readonly<Record<string, unknown>> | null
  readonly prepared: Readonly<Record<string, unknown>> | null
}

/** What is needed to take the next step of a run. */
export interface DueRun extends Pick<Subject, 'collection'> {
  readonly id: string
  readonly claim: string
  readonly object: string
  readonly depth: number
  readonly position: number
  /** Attempts of the next step that failed or did not end. */
  readonly attempts: number
  readonly playbook: number
  readonly name: string
  readonly version: number
  readonly owner: number | null
  readonly steps: readonly StoredStep[]
  /** The secrets of the steps, sealed. */
  readonly step_secrets: string | null
  readonly begun: readonly BegunStep[]
}

/** Locks a run until the transaction ends and renews its lease; undefined if it ended, or another process has taken it over. */
export async function lockRun(db: Kysely<unknown>, { id, claim }: ClaimedRun): Promise<DueRun | undefined> {
  const { rows: locked } = await sql`
    update playbook_runs set claimed_until = ${LEASE}, started_at = coalesce(started_at, now())
    where id = ${id} and claim = ${claim}::uuid and ended_at is null
    returning id`.execute(db)
  if (locked.length === 0) return undefined
  const { rows } = await sql<DueRun>`
    select r.id, r.claim, r.collection, r.object, r.depth, r.position, r.attempts, r.playbook, r.version, p.name, p.owner, p.step_secrets, v.steps,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'position', s.position, 'step', s.step, 'state', s.state, 'outcome', s.outcome, 'output', s.output, 'error', s.error,
          'waits_for', s.waits_for, 'prepared', s.prepared) order by s.position)
        from playbook_run_steps as s where s.run = r.id), '[]') as begun
    from playbook_runs as r
    join playbooks as p on p.id = r.playbook
    join playbook_versions as v on v.playbook = r.playbook and v.version = r.version
    where r.id = ${id}`.execute(db)
  return rows[0]
}

/** The results of the steps that ended, by their ids. */
export const resultsOf = ({ begun }: Pick<DueRun, 'begun'>): ReadonlyMap<string, StepResult> =>
  new Map(
    begun.flatMap(({ step, outcome, output }): [string, StepResult][] =>
      outcome === null ? [] : [[step, { outcome, output: output ?? {} }]],
    ),
  )
