import { type Kysely, sql } from 'kysely'
import { circuitOf, MAX_FAULTS } from '../../circuit.ts'
import type { Full } from '../reserve.ts'
import type { Work } from './work.ts'

/** After this many consecutive faults, runs no longer wait for the source. */
export const HOPELESS_FAULTS = MAX_FAULTS + 3
/** Runs wait for limits that are free again within this time. */
export const MAX_WAIT_SECONDS = 3600

/** A limit that never allows a call is asked for again after this time, in case that it was changed in the database. */
const NEVER_SECONDS = 31 * 86_400

const circuit = circuitOf('enrichers')

/** What happens to an enricher after a call. */
export const { pauseFor, countFault, countSuccess } = circuit

/** The source refuses the account, unless the enricher was changed since the call. */
export const suspend = (
  db: Kysely<unknown>,
  { id, enricher, parameters, parameter_secrets }: Pick<Work, 'id' | 'enricher' | 'parameters' | 'parameter_secrets'>,
  reason: string,
): Promise<void> =>
  circuit.suspend(
    db,
    id,
    reason,
    sql`enricher = ${enricher} and parameters = ${JSON.stringify(parameters)}::jsonb and parameter_secrets is not distinct from ${parameter_secrets}`,
  )

/** One of its own limits is reached, unless the limit was changed since. */
export const waitForLimit = (db: Kysely<unknown>, enricher: number, full: Full, message: string): Promise<void> =>
  circuit.waitUntil(
    db,
    enricher,
    full.until === null ? NEVER_SECONDS : full.milliseconds / 1000,
    message,
    sql`exists (
      select from enricher_budgets as b
      where b.enricher = enrichers.id and b.seconds = ${full.seconds}::integer and b.calls = ${full.calls}::integer)`,
  )
