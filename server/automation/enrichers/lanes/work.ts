import { sql } from 'kysely'
import type { Server } from '../../../server.ts'
import type { StoredParameters } from '../../parameters.ts'
import type { Rules } from '../requests/classify.ts'
import type { Claimed } from './claim.ts'

/** What a look-up needs to know of its enricher and its observable. */
export interface Work extends StoredParameters, Pick<Rules, 'name'> {
  /** The id of the enricher. */
  readonly id: number
  readonly enricher: string
  readonly source: string
  readonly source_number: number
  readonly tlp_color: string | null
  readonly cache_validity: number
  readonly type: string
  readonly value: string
}

/** Reads it; undefined if the enricher or the observable was deleted. */
export async function readWork(
  { db }: Pick<Server, 'db'>,
  { enricher, observable }: Pick<Claimed, 'enricher' | 'observable'>,
): Promise<Work | undefined> {
  const { rows } = await sql<Work>`
    select e.id, e.enricher, e.name, e.parameters, e.parameter_secrets, e.tlp_color, e.cache_validity,
      e.source, s.number as source_number, o.type, o.value
    from enrichers as e
    join sources as s on s.id = e.source
    cross join observables as o
    where e.id = ${enricher} and o.id = ${observable}`.execute(db)
  return rows[0]
}
