import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { Consolidation } from '../../domain/consolidation.ts'
import type { ObservableType } from '../../domain/observables/types.ts'
import type { Item } from '../../engine/context.ts'
import type { Id } from '../../engine/reference.ts'
import type { Configuration } from '../../exchange/exporting/configuration.ts'
import type { UpdateStrategy } from '../../formats/format.ts'
import type { ContentTypeUrn } from '../../formats/formats.ts'
import type { sourceReliability } from '../../intelligence/entities/vocabulary.ts'
import type { StoredConfiguration } from '../transports/transport-secrets.ts'
import type { OutgoingTransport } from '../transports/transports.ts'
import type { ExtractState } from './fields.ts'

/** How the blocks of a feed can follow each other. */
export const UPDATE_STRATEGIES = ['APPEND', 'REPLACE', 'DIFF'] as const satisfies readonly UpdateStrategy[]

/** A literal replacement in all texts. */
export interface Replacement {
  readonly find: string
  readonly replace: string
}

/** The parts of an outgoing feed that determine what it sends. */
export interface OutgoingFeed extends StoredConfiguration {
  readonly id: number
  readonly name: string
  readonly content_type: ContentTypeUrn
  readonly transport_type: OutgoingTransport
  readonly transport_configuration: Item
  readonly transport_secrets: string | null
  readonly update_strategy: UpdateStrategy
  readonly is_active: boolean
  readonly whitelist_tags: readonly string[]
  readonly entity_types: readonly string[]
  readonly extract_types: readonly ObservableType[]
  readonly allowed_extract_states: readonly ExtractState[]
  readonly allowed_link_types: readonly string[]
  readonly include_without_link_type: boolean
  readonly half_life_filter: number | null
  readonly tlp_color_filter: Configuration['tlp_color_filter']
  readonly tlp_color_override: Configuration['tlp_color_filter']
  readonly source_reliability_filter: z.output<typeof sourceReliability> | null
  readonly consolidation: Consolidation
  readonly include_relationships: boolean
  readonly include_attachments: boolean
  readonly require_valid_data: boolean
  readonly do_sign_content: boolean
  readonly anonymisation: readonly Replacement[]
  readonly keep_days: number | null
  /** The user with whose permissions it reads. */
  readonly owner: number | null
  readonly base_url: string
  readonly keys: readonly number[]
  readonly epoch: number
  readonly update_task: number | null
  readonly failures: number
  readonly collection_id: string
  readonly datasets: readonly number[]
  /** The sources it is limited to; none means all. */
  readonly sources: readonly string[]
  readonly taxonomies: readonly number[]
  /** The groups whose members may read its content. */
  readonly groups: readonly number[]
}

const linked = (table: string) => sql`array(
  select l.target from ${sql.table(table)} as l where l.source = t.id order by l.target)`

/** Finds feeds by id, without checking access. */
export async function findOutgoingFeeds(db: Kysely<unknown>, ids: readonly Id[]): Promise<OutgoingFeed[]> {
  const { rows } = await sql<OutgoingFeed>`
    select t.*,
      ${linked('outgoing_feed_datasets')} as datasets,
      ${linked('outgoing_feed_sources')} as sources,
      ${linked('outgoing_feed_taxonomies')} as taxonomies,
      ${linked('outgoing_feed_groups')} as groups
    from outgoing_feeds as t
    where t.id = any(${ids}::integer[])
    order by t.id`.execute(db)
  return rows
}

/** Finds a feed by id, without checking access. */
export const findOutgoingFeed = async (db: Kysely<unknown>, id: number): Promise<OutgoingFeed | undefined> =>
  (await findOutgoingFeeds(db, [id]))[0]
