import { z } from 'zod'
import type { Resource } from '../../engine/definition.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { CONSOLIDATIONS } from '../entities/unified.ts'
import { direction, idOf, keys, observableTypes, subtypes, types, via } from './step-fields.ts'

const MAX_HOPS = 5
const MAX_HOP_DEPTH = 5

/** A query in the search language. Its syntax is checked when it is compiled or stored. */
const lucene = z.string().max(20_000).check(refuseUnstorable)

const ids = (to: Resource['collection'], max: number) => z.array(idOf(to)).min(1).max(max)

// Ignoring a misspelt condition would make the set larger than its author expects.
const only = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${named(issue.keys)} not allowed; allowed: ${Object.keys(shape).join(', ')}`
        : undefined,
  })

const named = (names: readonly string[]): string => {
  const shown = names.slice(0, 20).map((name) => `'${name.slice(0, 80)}'`)
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''} ${names.length > 1 ? 'are' : 'is'}`
}

// Zod runs refinements only if all fields are valid. This condition runs them on any object, so that all errors are reported at once.
const whenObject = ({ value }: { value: unknown }): boolean => typeof value === 'object' && value !== null

const start = only({
  query: lucene.optional(),
  entities: ids('entities', 10_000).optional(),
  datasets: ids('datasets', 1000).optional(),
}).refine((from) => from.query !== undefined || from.entities || from.datasets, {
  message: 'needs query, entities or datasets',
  when: whenObject,
})

const hop = only({
  direction: direction.default('any'),
  keys: keys.optional(),
  subtypes: subtypes.optional(),
  entity_types: types.optional(),
  via: via.default('relationships'),
  observable_types: observableTypes.optional(),
  depth: z.int().min(1).max(MAX_HOP_DEPTH).default(1),
  query: lucene.optional(),
})
  .refine((one) => one.via !== 'observables' || one.direction === 'any', notWith('direction', 'observables'))
  .refine((one) => one.via !== 'observables' || !one.keys, notWith('keys', 'observables'))
  .refine((one) => one.via !== 'observables' || !one.subtypes, notWith('subtypes', 'observables'))
  .refine((one) => one.via !== 'relationships' || !one.observable_types, notWith('observable_types', 'relationships'))

function notWith(field: string, value: string) {
  return { path: [field], message: `cannot be combined with via '${value}'`, when: whenObject }
}

/**
 * A query over the graph of entities: a start, and hops from there. All given conditions must hold: the start consists of the
 * entities that are in the list, in one of the datasets, and match the query, and a hop leads to the entities that meet all of its
 * conditions. A hop with a depth is repeated up to that many times, each time from the entities reached before. A unified entity
 * stands for its contributors.
 */
export const relationalQuery = only({
  start,
  hops: z.array(hop).min(1).max(MAX_HOPS),
  include: z.enum(['last', 'reached', 'all']).default('last'),
  consolidation: z
    .enum(CONSOLIDATIONS)
    .optional()
    .describe(
      '`unified` puts unified entities in place of their contributors, `contributors` leaves unified entities out.',
    ),
})

export type RelationalQuery = z.output<typeof relationalQuery>
export type Hop = RelationalQuery['hops'][number]
