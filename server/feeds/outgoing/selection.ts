import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../engine/context.ts'
import { and } from '../../engine/select.ts'
import type { Configuration } from '../../exchange/exporting/configuration.ts'
import { consolidated, seesUnified } from '../../exchange/exporting/consolidation.ts'
import { mayGo } from '../../exchange/exporting/selection.ts'
import { contentTypeOf } from '../../formats/formats.ts'
import { inDatasets, isMember } from '../../intelligence/datasets/dataset-condition.ts'
import { relevancyOf } from '../../intelligence/entities/relevancy.ts'
import { sourceReliability } from '../../intelligence/entities/vocabulary.ts'
import { tagLexeme } from '../../search/lexemes.ts'
import { anyLexeme, toSql } from '../../search/sql/parts.ts'
import type { OutgoingFeed } from './feed.ts'
import { maliciousnessOf } from './fields.ts'

type Filters = Pick<
  OutgoingFeed,
  'whitelist_tags' | 'taxonomies' | 'entity_types' | 'source_reliability_filter' | 'half_life_filter'
>

/** Whether the entity `t` is in the content of a feed, as a condition for the caller, who is its owner. */
export async function feedEntities(ctx: Context, feed: OutgoingFeed): Promise<RawBuilder<SqlBool>> {
  // Datasets are evaluated with everything that the owner sees: an entity may be found through something that is not sent.
  const isSelected = await inDatasets(ctx, feed.datasets)
  const mayLeave = mayLeaveBy(ctx, feed)
  const isWanted = isRelevant(ctx, feed)
  if (!(await seesUnified(ctx))) return and([mayLeave, isSelected, isWanted])
  const isNamed = isMember(feed.datasets)
  return consolidated(ctx, { mode: feed.consolidation, isSelected, isNamed, mayLeave, isWanted })
}

/** Whether the content of the entity `t` may leave by a feed, by itself or as part of a unified entity. */
export const mayLeaveBy = (ctx: Context, feed: OutgoingFeed): RawBuilder<SqlBool> =>
  and([mayGo(ctx, feedConfiguration(feed)), ...contentConditions(feed)])

/** Whether the entity `t` is relevant enough for a feed. Less relevant content can be part of a unified entity. */
const isRelevant = (ctx: Context, { half_life_filter }: Filters): RawBuilder<SqlBool> =>
  half_life_filter === null ? sql`true` : sql`coalesce(${relevancyOf(ctx)}, 0) * 100 >= ${half_life_filter}::integer`

function contentConditions(feed: Filters): RawBuilder<SqlBool>[] {
  const { whitelist_tags, taxonomies, entity_types, source_reliability_filter } = feed
  return [
    ...(whitelist_tags.length === 0 ? [] : [toSql(anyLexeme(whitelist_tags.map(tagLexeme)))]),
    ...(taxonomies.length === 0 ? [] : [isClassified(taxonomies)]),
    ...(entity_types.length === 0 ? [] : [sql<SqlBool>`t.type = any(${entity_types}::text[])`]),
    ...(source_reliability_filter === null ? [] : [isReliable(source_reliability_filter)]),
  ]
}

/** Whether the entity `t` has one of these taxonomies or of their descendants. */
const isClassified = (ids: readonly number[]): RawBuilder<SqlBool> => sql`exists (
  select from entity_taxonomies as c
  where c.source = t.id and c.target in (
    with recursive below as (
      select i.id from unnest(${ids}::integer[]) as i(id)
      union
      select o.id from taxonomies as o join below on o.parent = below.id
    )
    select below.id from below))`

/** Whether the source of the entity `t` is at least this reliable; a source without a rating counts as F, cannot be judged. */
function isReliable(least: z.output<typeof sourceReliability>): RawBuilder<SqlBool> {
  const letters = sourceReliability.options
  const enough = letters.slice(0, letters.indexOf(least) + 1)
  return sql`coalesce(t.meta ->> 'source_reliability', 'F') = any(${enough}::text[])`
}

/** The export configuration of a feed: what is sent with its entities. */
export const feedConfiguration = (feed: OutgoingFeed): Configuration => ({
  relationships: feed.include_relationships ? 'all' : 'none',
  related_entities: false,
  observables: {
    include: true,
    types: [...feed.extract_types],
    maliciousness: 'unknown',
    states: feed.allowed_extract_states.map(maliciousnessOf),
    link_types: [...feed.allowed_link_types],
    without_link_type: feed.include_without_link_type,
  },
  attachments: { include: feed.include_attachments || contentTypeOf(feed.content_type)?.feed?.hasAttachments === true },
  tlp_color_filter: feed.tlp_color_filter,
  sources: [...feed.sources],
  consolidation: feed.consolidation,
})
