import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Context } from '../../../engine/context.ts'
import { badRequest } from '../../../engine/errors.ts'
import { link } from '../../../engine/link.ts'
import { resourceOf, visible } from '../../../engine/select.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { parametersOf, type Selection, selectedEntities } from '../../../intelligence/by-query/selection.ts'
import { isVisible } from '../../../intelligence/observables/sight.ts'

/** How many ids a body may have. */
const MAX_IDS = 10_000

const idsOf = (to: 'enrichers' | 'entities' | 'observables') => z.array(link(to).transform(({ id }) => id)).max(MAX_IDS)

/** The enrichers that a body names, perhaps none. */
export const anyEnricherIds = idsOf('enrichers').transform((ids) => [...new Set(ids.map(Number))])

/** The enrichers that a body names. */
export const enricherIds = idsOf('enrichers')
  .min(1)
  .transform((ids) => [...new Set(ids.map(Number))])

/** Observables, and entities whose observables are meant. */
export const objects = {
  entities: idsOf('entities')
    .default([])
    .transform((ids) => ids.map(String))
    .describe('Their observables are looked up.'),
  observables: idsOf('observables')
    .default([])
    .transform((ids) => ids.map(Number)),
}

const force = z.boolean().default(false).describe('Also looks up what has a valid result.')

/** What a run looks up: objects, the entities that a query finds, or what the enricher has looked up and is no longer valid. */
export const enrichParameters = parametersOf({
  enrichers: z.array(z.int()).default([]),
  entities: z.array(z.uuid()).default([]),
  observables: z.array(z.int()).default([]),
  is_expired: z.boolean().default(false).describe('Looks up everything again whose result has expired.'),
  force,
})

export type EnrichParameters = z.output<typeof enrichParameters>

/** The options of all bodies. */
export const options = { force }

/** A query for the `id` of the observables `o` that the caller sees and that a run is about. */
export async function selectedObservables(ctx: Context, wanted: EnrichParameters): Promise<RawBuilder<unknown>> {
  const { entities, observables, enrichers } = wanted
  const ofEntities = (isWanted: RawBuilder<unknown>) => sql`
    select l.target as id from entities as t join entity_observables as l on l.source = t.id where ${isWanted}`
  const parts: RawBuilder<unknown>[] = []
  if (hasQuery(wanted)) parts.push(ofEntities(await selectedEntities(ctx, wanted)))
  if (entities.length > 0) {
    const isSeen = visible(ctx, resourceOf(ctx, 'entities'))
    parts.push(ofEntities(sql`t.id = any(${uuidList(entities)}::uuid[]) and ${isSeen}`))
  }
  if (observables.length > 0) {
    parts.push(sql`
      select o.id from observables as o where o.id = any(${observables}::integer[]) and ${isVisible(ctx, 'o')}`)
  }
  if (wanted.is_expired) {
    parts.push(sql`
      select f.observable as id from enrichments as f
      where f.enricher = any(${enrichers}::integer[]) and f.expires_at <= now() and ${holdsKey(ctx, sql`f.vis`)}`)
  }
  if (parts.length === 0) throw badRequest('observables: is required, unless there are entities or a query')
  return sql.join(parts, sql` union `)
}

/** Whether entities are selected by a query. */
export const hasQuery = ({ entities_query, relational_query }: Selection): boolean =>
  entities_query !== null || relational_query !== null
