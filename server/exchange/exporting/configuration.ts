import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { OBSERVABLE_TYPE_ALIASES, OBSERVABLE_TYPES, type ObservableType } from '../../domain/observables/types.ts'
import { tlpOf, tlpRank } from '../../domain/tlp.ts'
import type { Context } from '../../engine/context.ts'
import { string } from '../../engine/field.ts'
import { link } from '../../engine/link.ts'
import { and } from '../../engine/select.ts'
import { holdsKey } from '../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../identity/access/visibility.ts'
import { MALICIOUSNESS } from '../../intelligence/entities/observables-in.ts'
import { tlpInput } from '../../intelligence/entities/vocabulary.ts'
import { maliciousness } from '../../intelligence/observables/sight.ts'
import { consolidation } from './consolidation.ts'

const MAX_LIST_LENGTH = 200
const KEYS = `must be 'all', 'none' or a list of at most ${MAX_LIST_LENGTH} keys`

/** An observable type, under any of its names. */
export const observableType = z
  .string()
  .overwrite((name) => OBSERVABLE_TYPE_ALIASES[name] ?? name)
  .refine(
    (name): name is ObservableType => OBSERVABLE_TYPES.some((known) => known === name),
    'must be an observable type',
  )

const observables = z.object({
  include: z.boolean().default(true),
  types: z
    .array(observableType)
    .max(MAX_LIST_LENGTH)
    .default([])
    .describe('Only observables of these types; empty for all.'),
  maliciousness: z
    .enum(MALICIOUSNESS)
    .default('unknown')
    .describe(`The minimum maliciousness of observables, in this order: ${MALICIOUSNESS.join(', ')}.`),
  states: z
    .array(z.enum(MALICIOUSNESS))
    .max(MALICIOUSNESS.length)
    .default([])
    .describe('Only observables with one of these levels of maliciousness; empty for all.'),
  link_types: z
    .array(string(1, 100))
    .max(MAX_LIST_LENGTH)
    .default([])
    .describe('Only observables with one of these link types; empty for all.'),
  without_link_type: z
    .boolean()
    .default(false)
    .describe('Used with `link_types`: whether observables without a link type are included.'),
})

/** What is exported with the selected entities, and what is left out. */
export const contentConfiguration = z
  .object({
    relationships: z
      .union([z.enum(['all', 'none']), z.array(string(0, 256)).max(MAX_LIST_LENGTH)], { error: KEYS })
      .default('all')
      .describe('Relationships between exported entities: all, none, or those with one of these keys.'),
    related_entities: z
      .boolean()
      .default(false)
      .describe('Whether entities that are one relationship away, in either direction, are also exported.'),
    observables: observables.prefault({}),
    attachments: z.object({ include: z.boolean().default(true) }).prefault({}),
    tlp_color_filter: tlpInput
      .nullable()
      .default(null)
      .describe('The highest TLP colour to export: entities and relationships above it are left out.'),
    sources: z
      .array(link('sources').transform(({ id }) => String(id)))
      .max(MAX_LIST_LENGTH)
      .default([])
      .describe('Only entities and relationships of these sources; empty for all.'),
    consolidation,
  })
  .refine(({ relationships, related_entities }) => !(related_entities && relationships === 'none'), {
    path: ['related_entities'],
    error: 'must be false if relationships is none',
  })

/** A parsed content configuration. */
export type Configuration = z.output<typeof contentConfiguration>

/** Exports everything that the caller sees. */
export const EVERYTHING: Configuration = contentConfiguration.parse({})

/** Whether the colour in a visibility key is not above the ceiling. */
function isBelowCeiling(
  { tlp_color_filter: colour }: Pick<Configuration, 'tlp_color_filter'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (colour === null) return sql`true`
  // AMBER+STRICT may be stored as a stricter colour. As a ceiling it counts as AMBER, so that nothing stricter passes.
  return sql`${rankOf(vis)} <= ${tlpRank(tlpOf(colour, 'AMBER'))}::integer`
}

/** Whether an object with this visibility key may be exported: its source is wanted, and its colour is not above the ceiling. */
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
            select w.number from numbered_sources as w where w.id = any(${configuration.sources}::uuid[])))`,
        ]),
  ])

/** Whether one of the visibility keys of a relationship that the caller holds allows it to be exported. */
export const mayGoOutByAny = (
  ctx: Pick<Context, 'caller'>,
  configuration: Pick<Configuration, 'tlp_color_filter' | 'sources'>,
  vis: RawBuilder<unknown>,
): RawBuilder<SqlBool> =>
  // The keys of a relationship differ only in their sources.
  configuration.sources.length === 0
    ? isBelowCeiling(configuration, sql`(${vis})[1]`)
    : sql`exists (
        select from unnest(${vis}) as g(key)
        where ${holdsKey(ctx, sql`g.key`)} and ${mayGoOut(configuration, sql`g.key`)})`

/** Whether the configuration includes a source. */
export const isWantedSource = (
  { sources }: Pick<Configuration, 'sources'>,
  id: RawBuilder<unknown>,
): RawBuilder<SqlBool> => (sources.length === 0 ? sql`true` : sql`${id} = any(${sources}::uuid[])`)

/** Whether the configuration includes a relationship with this key. */
export function hasWantedKey(
  { relationships }: Pick<Configuration, 'relationships'>,
  key: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  if (relationships === 'all') return sql`true`
  return relationships === 'none' ? sql`false` : sql`${key} = any(${relationships}::text[])`
}

/** Whether the configuration includes the observable `o` of the link `l`. */
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

/** Whether all observables are exported. */
export const hasAllObservables = ({ observables }: Pick<Configuration, 'observables'>): boolean => {
  const { include, types, maliciousness, states, link_types } = observables
  return include && maliciousness === 'unknown' && [types, states, link_types].every((list) => list.length === 0)
}

/** What a configuration leaves out, as lines for the log of an export. */
export function keptBack(configuration: Configuration): string[] {
  const { relationships, related_entities, attachments, tlp_color_filter, sources } = configuration
  const keys = typeof relationships === 'string' ? relationships : `with the keys ${relationships.join(', ')}`
  return [
    ...(tlp_color_filter === null ? [] : [`Objects above TLP ${tlp_color_filter} are left out.`]),
    ...(sources.length === 0 ? [] : [`Sources: ${sources.join(', ')}.`]),
    ...(relationships === 'all' ? [] : [`Relationships: ${keys}.`]),
    ...(related_entities ? ['Entities that are one relationship away are included.'] : []),
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
