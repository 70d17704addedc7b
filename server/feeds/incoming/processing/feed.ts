import { sql } from 'kysely'
import type { Item } from '../../../engine/context.ts'
import type { ImportSettings } from '../../../exchange/importing/parse-entity.ts'
import type { CsvMapping } from '../../../formats/csv/mapping.ts'
import { kindClaimed } from '../../../formats/formats.ts'
import type { Kind } from '../../../formats/recognise.ts'
import type { Server } from '../../../server.ts'
import type { StoredTransport } from '../check-transport.ts'

/** The parts of an incoming feed that collecting and processing need. */
export interface Feed extends StoredTransport {
  readonly id: number
  readonly name: string
  readonly source: string
  readonly content_type: string | null
  readonly half_life: number | null
  readonly source_reliability: string | null
  readonly tlp_color_override: string | null
  readonly tags: readonly string[]
  readonly require_valid_signature: boolean
  /** Sealed. */
  readonly archive_password: string | null
  readonly csv_mapping: CsvMapping | null
  readonly cursor: Item | null
  readonly update_task: number
  readonly update_strategy: 'REPLACE' | 'APPEND' | 'DIFF'
  /** What happens to entities that the sender withdrew. */
  readonly withdrawn: 'keep' | 'mark' | 'delete'
}

export async function findFeed({ db }: Pick<Server, 'db'>, id: number): Promise<Feed | undefined> {
  const { rows } = await sql<Feed>`
    select t.id, t.name, t.source, t.content_type, t.transport_type, t.transport_configuration, t.transport_secrets, t.half_life,
      t.source_reliability, t.tlp_color_override, t.tags, t.require_valid_signature, t.archive_password, t.cursor,
      t.update_task, t.update_strategy, t.withdrawn, ${mappingOf(sql`t.csv_mapping`)} as csv_mapping
    from incoming_feeds as t
    where t.id = ${id}`.execute(db)
  return rows[0]
}

const mappingOf = (id: unknown) => sql`(
  select jsonb_build_object('columns', m.columns, 'mappings', m.mappings, 'config', m.config,
    'default_field_values', m.default_field_values)
  from csv_mappings as m where m.id = ${id})`

/** Finds a CSV mapping by its id. */
export async function findMapping({ db }: Pick<Server, 'db'>, id: number | null): Promise<CsvMapping | null> {
  const { rows } = await sql<{
    mapping: CsvMapping | null
  }>`select ${mappingOf(sql`${id}::integer`)} as mapping`.execute(db)
  return rows[0]?.mapping ?? null
}

/** The values that a feed gives to everything that it imports. */
export const importDefaultsOf = (feed: Feed): ImportSettings => ({
  source: feed.source,
  tags: feed.tags,
  tlp: null,
  tlpOverride: feed.tlp_color_override,
  halfLife: feed.half_life,
  sourceReliability: feed.source_reliability,
  isOwnOnly: true,
})

/** Resolves the kind of content from what was recognised and the content type that the feed declares. */
export const resolveKind =
  ({ content_type }: Pick<Feed, 'content_type'>) =>
  (recognised: Kind): Kind =>
    kindClaimed(content_type, recognised)
