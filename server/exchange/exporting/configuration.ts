import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES, type ObservableType } from '../../domain/observables/types.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import { string } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import type { Context } from '../../engine/resource.ts'
import { and } from '../../engine/select.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { MALICIOUSNESS } from '../../intelligence/entities/observables-in.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { maliciousness } from '../../intelligence/observables/sight.ts'

const MOST = 200
const KEYS = `must be 'all', 'none' or a list of at most ${MOST} keys`

/** A type of observables, in any of its names. */
export const observableType = z
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
  states: z
    .array(z.enum(MALICIOUSNESS))
    .max(MALICIOUSNESS.length)
    .default([])
    .describe('Only observables that are just so malicious; none means all.'),
  link_types: z
    .array(string(1, 100))
    .max(MOST)
    .default([])
    .describe('Only observables that entities have to do with in one of these ways; none means all.'),
  without_link_type: z
    .boolean()
    .default(false)
    .describe('Beside `link_types`: whether those go out of which it is not said what the entity has to do with them.'),
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
    sources: z
      .array(link('sources').transform(({ id }) => String(id)))
      .max(MOST)
      .default([])
      .describe('Only entities and relationships of these sources; none means all.'),
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
function isBelowCeiling(
  { tlp_color_filter: colour }: Pick<Configuration, 'tlp_color_filter'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (colour === null) return sql`true`
  // What AMBER STRICT is stored as cannot be told from what is redder: the ceiling must not let that pass.
  return sql`${rankOf(vis)} <= ${tlpRank(tlpOf(colour, 'AMBER'))}::integer`
}

/** Whether the key of something says that it may go out: it comes from a wanted source, and its colour is not above the ceiling. */
export const mayGoOut = (
  configuration: Pick<Configuration, 'tlp_color_filter' | 'sources'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  and([
    isBelowCeiling(configuration, vis),
    ...(configuration.sources.length === 0
      ? []
      : [
          sql<SqlBool>`${sourceOf(vis)} = any(array(
            select w.number from sources as w where w.id = any(${configuration.sources}::uuid[])))`,
        ]),
  ])

/** Whether one of the keys of a relationship, which the caller holds, says that it may go out. */
export const mayGoOutByAny = (
  ctx: Pick<Context, 'caller'>,
  configuration: Pick<Configuration, 'tlp_color_filter' | 'sources'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  // Its keys differ in their sources alone.
  configuration.sources.length === 0
    ? isBelowCeiling(configuration, sql`(${vis})[1]`)
    : sql`exists (
        select from unnest(${vis}) as g(key)
        where ${holdsKey(ctx, sql`g.key`)} and ${mayGoOut(configuration, sql`g.key`)})`

/** Whether a source may be told of, as far as the configuration goes. */
export const isWantedSource = (
  { sources }: Pick<Configuration, 'sources'>,
  id: RawBuilder<unknown>,
): RawBuilder<SqlBool> => (sources.length === 0 ? sql`true` : sql`${id} = any(${sources}::uuid[])`)

/** Whether a relationship has one of the keys that go out. */
export function hasWantedKey(
  { relationships }: Pick<Configuration, 'relationships'>,
  key: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (relationships === 'all') return sql`true`
  return relationships === 'none' ? sql`false` : sql`${key} = any(${relationships}::text[])`
}

/** Whether an observable `o` is one of those that go out with an entity that the link `l` leads from. */
export function isWantedObservable(ctx: Context, configuration: Configuration): RawBuilder<SqlBool> {
  const { types, maliciousness: least, states, link_types, without_link_type } = configuration.observables
  const own = maliciousness(ctx, 'o', (vis) => mayGoOut(configuration, vis))
  const enough = MALICIOUSNESS.slice(MALICIOUSNESS.indexOf(least))
  return and([
    ...(types.length === 0 ? [] : [sql<SqlBool>`o.type = any(${types}::text[])`]),
    ...(least === 'unknown' ? [] : [sql<SqlBool>`${own} = any(${enough}::text[])`]),
    ...(states.length === 0 ? [] : [sql<SqlBool>`${own} = any(${states}::text[])`]),
    ...(link_types.length === 0
      ? []
      : [sql<SqlBool>`coalesce(l.link_type = any(${link_types}::text[]), ${without_link_type}::boolean)`]),
  ])
}

/** Whether all observables go out, whatever they are. */
export const hasAllObservables = ({ observables }: Pick<Configuration, 'observables'>): boolean => {
  const { include, types, maliciousness, states, link_types } = observables
  return include && maliciousness === 'unknown' && [types, states, link_types].every((list) => list.length === 0)
}

/** What a configuration keeps back, in sentences for whoever reads the log of an export. */
export function keptBack(configuration: Configuration): string[] {
  const { relationships, related_entities, attachments, tlp_color_filter, sources } = configuration
  const keys = typeof relationships === 'string' ? relationships : `with the keys ${relationships.join(', ')}`
  return [
    ...(tlp_color_filter === null ? [] : [`What is above TLP ${tlp_color_filter} is left out.`]),
    ...(sources.length === 0 ? [] : [`Sources: ${sources.join(', ')}.`]),
    ...(relationships === 'all' ? [] : [`Relationships: ${keys}.`]),
    ...(related_entities ? ['Entities that are one relationship away go out as well.'] : []),
    ...keptObservables(configuration),
    ...(attachments.include ? [] : ['Attachments are left out.']),
  ]
}

function keptObservables({ observables }: Configuration): string[] {
  const { include, types, maliciousness, states, link_types } = observables
  if (!include) return ['Observables are left out.']
  return [
    ...(types.length > 0 ? [`Observables: of the types ${types.join(', ')}.`] : []),
    ...(maliciousness !== 'unknown' ? [`Observables: of maliciousness ${maliciousness} or more.`] : []),
    ...(states.length > 0 ? [`Observables: of maliciousness ${states.join(', ')}.`] : []),
    ...(link_types.length > 0 ? [`Observables: with the link types ${link_types.join(', ')}.`] : []),
  ]
}
