import { z } from 'zod'
import type { Resource } from '../../engine/resource.ts'
import { refuseUnstorable } from '../../engine/storable.ts'
import { direction, idOf, keys, observableTypes, subtypes, types, via } from './step-fields.ts'

const MOST_HOPS = 5
const DEEPEST = 5

/** Text in the search language; whoever turns it into SQL says whether it is well formed. */
const lucene = z.string().max(20_000).check(refuseUnstorable)

const ids = (to: Resource['collection'], most: number) => z.array(idOf(to)).min(1).max(most)

// A misspelt condition that is dropped would make the set larger than its author thinks.
const only = <S extends z.core.$ZodLooseShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${named(issue.keys)} not known here; these are: ${Object.keys(shape).join(', ')}`
        : undefined,
  })

const named = (names: readonly string[]): string => {
  const shown = names.slice(0, 20).map((name) => `'${name.slice(0, 80)}'`)
  return `${shown.join(', ')}${names.length > shown.length ? ', …' : ''} ${names.length > 1 ? 'are' : 'is'}`
}

// Zod would look at the parts together only once each of them is right; here every fault is named at once.
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
  depth: z.int().min(1).max(DEEPEST).default(1),
  query: lucene.optional(),
})
  .refine((one) => one.via !== 'observables' || one.direction === 'any', idle('direction', 'observables'))
  .refine((one) => one.via !== 'observables' || !one.keys, idle('keys', 'observables'))
  .refine((one) => one.via !== 'observables' || !one.subtypes, idle('subtypes', 'observables'))
  .refine((one) => one.via !== 'relationships' || !one.observable_types, idle('observable_types', 'relationships'))

function idle(field: string, value: string) {
  return { path: [field], message: `means nothing where via is '${value}'`, when: whenObject }
}

/**
 * A question over the graph: where to begin, and how to go on from there. Every part that is given narrows: the start is
 * what is in the list and in one of the datasets and matches the query; a hop leads to what fits all that it says. With a
 * depth, a hop is gone up to so many times, each time from what the time before has reached.
 */
export const relationalQuery = only({
  start,
  hops: z.array(hop).min(1).max(MOST_HOPS),
  include: z.enum(['last', 'reached', 'all']).default('last'),
})

export type RelationalQuery = z.output<typeof relationalQuery>
export type Hop = RelationalQuery['hops'][number]
