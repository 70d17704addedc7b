import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES, type ObservableType } from '../../domain/observables/types.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import { string } from '../../engine/field.ts'
import { tlpInput } from '../entities/meta.ts'
import { MALICIOUSNESS } from '../entities/observables-in.ts'

const MOST = 200
const KEYS = `must be 'all', 'none' or a list of at most ${MOST} keys`

const observableType = z
  .string()
  .overwrite((name) => OBSERVABLE_TYPE_ALIASES[name] ?? name)
  .refine(
    (name): name is ObservableType => OBSERVABLE_TYPES.some((known) => known === name),
    'must be a type of observables',
  )

const observables = z.object({
  include: z.boolean().default(true),
  types: z.array(observableType).max(MOST).default([]).describe('Only observables of these types; none means all.'),
  maliciousness: z
    .enum(MALICIOUSNESS)
    .default('unknown')
    .describe(`Only observables that are at least so malicious; the order is ${MALICIOUSNESS.join(', ')}.`),
})

/** What goes out with the entities that were chosen, and what is kept back. */
export const contentConfiguration = z
  .object({
    relationships: z
      .union([z.enum(['all', 'none']), z.array(string(0, 256)).max(MOST)], { error: KEYS })
      .default('all')
      .describe('Relationships between entities that go out: all, none, or those with one of these keys.'),
    related_entities: z
      .boolean()
      .default(false)
      .describe('Whether entities go out as well that these relationships lead to in one step, either way.'),
    observables: observables.prefault({}),
    attachments: z.object({ include: z.boolean().default(true) }).prefault({}),
    tlp_color_filter: tlpInput
      .nullable()
      .default(null)
      .describe('The highest colour that goes out: entities and relationships above it are left out.'),
  })
  .refine(({ relationships, related_entities }) => !(related_entities && relationships === 'none'), {
    path: ['related_entities'],
    error: 'must be false where no relationships go out',
  })

/** What goes out, and what is kept back. */
export type Configuration = z.output<typeof contentConfiguration>

/** Everything that the caller sees. */
export const EVERYTHING: Configuration = contentConfiguration.parse({})

/** Whether the key of an entity or a relationship says that it may go out, as far as its colour goes. */
export function isBelowCeiling(
  { tlp_color_filter: colour }: Pick<Configuration, 'tlp_color_filter'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (colour === null) return sql`true`
  // What AMBER STRICT is stored as cannot be told from what is redder: the ceiling must not let that pass.
  return sql`(${vis} & 7) <= ${tlpRank(tlpOf(colour, 'AMBER'))}::integer`
}

/** Whether a relationship has one of the keys that go out. */
export function hasWantedKey(
  { relationships }: Pick<Configuration, 'relationships'>,
  key: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (relationships === 'all') return sql`true`
  return relationships === 'none' ? sql`false` : sql`${key} = any(${relationships}::text[])`
}

/** Whether an observable `o` is one of those that go out. */
export function isWantedObservable({ observables: { types, maliciousness } }: Configuration): RawBuilder<SqlBool> {
  const ofType = types.length === 0 ? sql`true` : sql`o.type = any(${types}::text[])`
  const enough = MALICIOUSNESS.slice(MALICIOUSNESS.indexOf(maliciousness))
  const isBad =
    maliciousness === 'unknown'
      ? sql`true`
      : sql`coalesce(o.meta ->> 'maliciousness', 'unknown') = any(${enough}::text[])`
  return sql`${ofType} and ${isBad}`
}

/** What a configuration keeps back, in sentences for whoever reads the log of an export. */
export function keptBack({
  relationships,
  related_entities,
  observables: { include, types, maliciousness },
  attachments,
  tlp_color_filter,
}: Configuration): string[] {
  const keys = typeof relationships === 'string' ? relationships : `with the keys ${relationships.join(', ')}`
  return [
    ...(tlp_color_filter === null ? [] : [`What is above TLP ${tlp_color_filter} is left out.`]),
    ...(relationships === 'all' ? [] : [`Relationships: ${keys}.`]),
    ...(related_entities ? ['Entities that are one relationship away go out as well.'] : []),
    ...(include ? [] : ['Observables are left out.']),
    ...(include && types.length > 0 ? [`Observables: of the types ${types.join(', ')}.`] : []),
    ...(include && maliciousness !== 'unknown' ? [`Observables: of maliciousness ${maliciousness} or more.`] : []),
    ...(attachments.include ? [] : ['Attachments are left out.']),
  ]
}
