import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context, Item } from '../../../engine/context.ts'
import { joinDocument, storedColumns } from '../../../engine/document.ts'
import { uuidList } from '../../../fast/binary-arrays.ts'
import { holdsKey } from '../../../identity/access/sight.ts'
import { rankOf, sourceOf } from '../../../identity/access/visibility.ts'
import { metaMembers } from '../../../intelligence/entities/meta.ts'
import type { StoredMeta } from '../../../intelligence/entities/state.ts'
import { lifetime } from '../../../intelligence/origins.ts'
import type { Contributor, LinkedObservable } from './contributor.ts'
import type { Provenance } from './provenance.ts'

/** A contributor with its visibility key. */
export interface StoredContributor extends Contributor {
  readonly vis: number
}

/** A unified entity as it is stored. */
export interface StoredUnified {
  readonly id: string
  readonly vis: number
  readonly data: Item
  readonly meta: StoredMeta
  readonly observables: readonly LinkedObservable[]
  readonly attachments: readonly string[]
  readonly policy: number | null
  readonly source: number | null
  readonly provenance: Provenance | null
}

interface Links {
  readonly observables: [number, string | null][] | null
  readonly attachments: string[]
}

const links: RawBuilder<unknown> = sql`
  (select json_agg(json_build_array(l.target, l.link_type) order by l.target)
    from entity_observables as l where l.source = t.id) as observables,
  array(select l.target from entity_attachments as l where l.source = t.id order by 1) as attachments`

/**
 * Contributors by their ids. Their rows stay locked until the transaction ends: a contributor that becomes more restricted
 * meanwhile waits, and then restricts what was made of it.
 */
export const lockContributors = (ctx: Pick<Context, 'db'>, ids: readonly string[]) =>
  findContributors(ctx, ids, sql`true`, sql`for share of t`)

/** Those that the caller sees, without locks. */
export const readSeenContributors = (ctx: Pick<Context, 'db' | 'caller'>, ids: readonly string[]) =>
  findContributors(ctx, ids, holdsKey(ctx, sql`t.vis`), sql``)

async function findContributors(
  ctx: Pick<Context, 'db'>,
  ids: readonly string[],
  isWanted: RawBuilder<SqlBool>,
  lock: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, StoredContributor>> {
  const { rows } = await sql<ContributorRow>`
    select t.id, t.stix_id, t.type, t.vis, t.data, ${storedColumns('meta', metaMembers)}, ${lifetime}, ${links}
    from entities as t left join entity_origins as o on o.source = t.id
    where t.id = any(${uuidList(ids)}::uuid[]) and not t.is_unified and ${isWanted}
    order by t.stix_id
    ${lock}`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, contributorOf(row)]))
}

type ContributorRow = Links &
  Item & {
    readonly id: string
    readonly stix_id: string
    readonly type: string
    readonly vis: number
    readonly data: Item
    readonly created: string
    readonly modified: string
  }

const contributorOf = (row: ContributorRow): StoredContributor => ({
  id: row.id,
  stixId: row.stix_id,
  type: row.type,
  vis: row.vis,
  source: sourceOf(row.vis),
  rank: rankOf(row.vis),
  data: row.data,
  meta: metaOf(row),
  created: row.created,
  modified: row.modified,
  observables: observablesOf(row),
  attachments: row.attachments,
})

/** Unified entities as they are stored, by their ids. */
export async function readUnified(
  ctx: Pick<Context, 'db'>,
  ids: readonly string[],
  isWanted: RawBuilder<SqlBool> = sql`true`,
): Promise<ReadonlyMap<string, StoredUnified>> {
  const { rows } = await sql<UnifiedRow>`
    select t.id, t.vis, t.data, ${storedColumns('meta', metaMembers)}, ${links}, u.policy, u.source, u.provenance
    from entities as t left join unified_entities as u on u.entity = t.id
    where t.id = any(${uuidList(ids)}::uuid[]) and t.is_unified and ${isWanted}`.execute(ctx.db)
  return new Map(rows.map((row) => [row.id, unifiedOf(row)]))
}

type UnifiedRow = Links & Item & Pick<StoredUnified, 'id' | 'vis' | 'data' | 'policy' | 'source' | 'provenance'>

const unifiedOf = (row: UnifiedRow): StoredUnified => ({
  id: row.id,
  vis: row.vis,
  data: row.data,
  meta: metaOf(row),
  observables: observablesOf(row),
  attachments: row.attachments,
  policy: row.policy,
  source: row.source,
  provenance: row.provenance,
})

const metaOf = (row: Item): StoredMeta => joinDocument('meta', metaMembers, row) as unknown as StoredMeta

const observablesOf = ({ observables }: Links): LinkedObservable[] =>
  (observables ?? []).map(([id, linkType]) => ({ id, linkType }))
