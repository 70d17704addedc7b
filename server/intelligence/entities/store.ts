import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { documentList, integerList, textList, uuidList, vectorList } from '../../engine/binary.ts'
import { logged as note } from '../../engine/log.ts'
import type { Context, Item } from '../../engine/resource.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { requireVersion, type Shape } from '../shaping/shape.ts'
import { linkedIds, linking, type ObservableLinks, readIds } from './observable-links.ts'
import type { EntityColumns, EntityRow } from './state.ts'

/** An entity as it goes into its table. */
export interface StoredEntity extends EntityColumns {
  readonly id: string
  readonly stix_id: string
  readonly type: string
  readonly vis: number
  readonly is_unresolved: boolean
  readonly data: Item
  /** The data as JSON. */
  readonly text: string
  readonly search: Buffer
}

/** What came of an insert. */
export interface Inserted {
  readonly count: number
  readonly now: string
  /** Of the dictionary, which is held until the transaction ends. */
  readonly epoch: number
  /** The ids of the distinct observables; none where they were not linked. */
  readonly observables: readonly (number | null)[]
  isMade(id: string): boolean
}

/**
 * Inserts entities whose STIX ids are new, with their observables where these are given, in one statement. It makes sure
 * of the shape that they were checked by: until the transaction ends, nobody changes it any more.
 */
export async function insertEntities(
  ctx: Context,
  entities: readonly StoredEntity[],
  links?: ObservableLinks,
  shape?: Shape,
): Promise<Inserted> {
  // The ids are of interest only where some were known.
  const { rows } = await sql<Made>`
    with made as (
      insert into entities (${columns}, is_withdrawn, created_by)
      select ${values}, ${isRevoked('i')}, nullif(${ctx.caller.id}::integer, 0)
      from ${rowsOf(entities)}
      order by i.stix_id
      on conflict (stix_id) do nothing
      returning id, vis
    ), ${logged(ctx, 'create', sql`made`)} ${links ? sql`, ${linking(ctx, links, sql`made`)}` : sql``}
    select count(*), case when count(*) < ${entities.length} then array_agg(id) end as ids, now() as now, ${SHAPE} as shape,
      hold_dictionary() as epoch, ${links ? linkedIds : sql`''`} as observables
    from made`.execute(ctx.db)
  const { count = 0, ids = null, now = '', observables = '', epoch = 0 } = rows[0] ?? {}
  if (shape) requireVersion(shape, rows[0]?.shape)
  const made = new Set(ids)
  return {
    count,
    now,
    epoch,
    observables: links ? readIds(links, observables) : [],
    isMade: (id) => count === entities.length || made.has(id),
  }
}

interface Made {
  readonly count: number
  readonly ids: string[] | null
  readonly observables: string
  readonly now: string
  readonly shape: string
  readonly epoch: number
}

/**
 * Replaces entities, and keeps what they were as versions; one that was only a placeholder never was anything. Gives the epoch of
 * the dictionary, which is held until the transaction ends.
 */
export async function updateEntities(
  ctx: Context,
  entities: readonly (StoredEntity & { readonly before: Item })[],
  shape?: Shape,
): Promise<number> {
  if (entities.length === 0) return 0
  const before = documentList(entities.map((entity) => JSON.stringify(entity.before)))
  const { rows } = await sql<Pick<Made, 'shape' | 'epoch'>>`
    with i as materialized (select i.*, o.before from ${rowsOf(entities)}
      join unnest(${uuidList(entities.map(({ id }) => id))}::uuid[], ${before}::jsonb[]) as o(id, before) on o.id = i.id
    ), kept as (
      insert into entity_versions (entity_id, version, vis, at, data, meta)
      select t.id, t.version, t.vis, t.last_updated_at, t.data, i.before
      from entities as t join i on i.id = t.id
      where not t.is_unresolved
    ), changed as (
      update entities as t
      set (${columns}, is_withdrawn, version, last_updated_at) =
        (select ${values}, case when ${isRevoked('i')} then true when ${isRevoked('t')} then false else t.is_withdrawn end,
          case when t.is_unresolved then t.version else t.version + 1 end, now())
      from i
      where t.id = i.id
      returning t.id
    ), ${logged(ctx, 'update', sql`changed`)}
    select ${SHAPE} as shape, hold_dictionary() as epoch`.execute(ctx.db)
  if (shape) requireVersion(shape, rows[0]?.shape)
  return rows[0]?.epoch ?? 0
}

/** Existing entities of these STIX ids, locked in their order so that two requests cannot wait for each other. */
export async function lockEntities(
  ctx: Context,
  by: 'stix_id' | 'id',
  keys: readonly string[],
  isVisible: RawBuilder<SqlBool>,
): Promise<(EntityRow & { is_visible: boolean })[]> {
  const type = sql.raw(by === 'id' ? 'uuid[]' : 'text[]')
  const { rows } = await sql<EntityRow & { is_visible: boolean }>`
    select t.id, t.stix_id, t.vis, t.is_unresolved, t.half_life, t.threat_start, t.threat_end, t.observed, t.tags,
      t.attacks, t.data, t.meta, ${isVisible} as is_visible,
      (select s.id from sources as s where s.number = ${sourceOf(sql`t.vis`)}) as source,
      array(select l.target from entity_taxonomies as l where l.source = t.id order by 1) as taxonomies,
      array(select l.target from entity_observables as l where l.source = t.id order by 1) as observables
    from entities as t
    where t.${sql.ref(by)} = any(${keys}::${type})
    order by t.stix_id
    for update of t`.execute(ctx.db)
  return rows
}

/** Notes in the log of changes which entities a statement touched. */
export const logged = (ctx: Context, kind: string, rows: RawBuilder<unknown>) =>
  note(ctx, { collection: 'entities' }, kind, rows)

/** Whether the data of a row says that its publisher has withdrawn it. */
const isRevoked = (alias: string) => sql`coalesce(${sql.ref(`${alias}.data`)} -> 'revoked' = 'true'::jsonb, false)`

const SHAPE = sql`(select s.version from entity_shape as s)`

const columns = sql.raw(
  'id, stix_id, type, vis, half_life, is_unresolved, threat_start, threat_end, observed, tags, attacks, data, meta, search',
)
const values = sql.raw(
  'i.id, i.stix_id, i.type, i.vis, i.half_life, i.is_unresolved = 1, i.threat_start::timestamptz, i.threat_end::timestamptz, i.observed::timestamptz, i.tags::text[], i.attacks::text[], i.data, i.meta, i.search',
)

function rowsOf(entities: readonly StoredEntity[]) {
  const list = <T>(pick: (entity: StoredEntity) => T): T[] => entities.map(pick)
  return sql`unnest(
    ${uuidList(list(({ id }) => id))}::uuid[],
    ${textList(list(({ stix_id }) => stix_id))}::text[],
    ${textList(list(({ type }) => type))}::text[],
    ${integerList(list(({ vis }) => vis))}::integer[],
    ${integerList(list(({ half_life }) => half_life))}::integer[],
    ${integerList(list(({ is_unresolved }) => Number(is_unresolved)))}::integer[],
    ${textList(list(({ threat_start }) => threat_start))}::text[],
    ${textList(list(({ threat_end }) => threat_end))}::text[],
    ${textList(list(({ observed }) => observed))}::text[],
    ${textList(list(({ tags }) => literal(tags)))}::text[],
    ${textList(list(({ attacks }) => literal(attacks)))}::text[],
    ${documentList(list(({ text }) => text))}::jsonb[],
    ${documentList(list(({ meta }) => JSON.stringify(meta)))}::jsonb[],
    ${vectorList(list(({ search }) => search))}::tsvector[]
  ) as i(id, stix_id, type, vis, half_life, is_unresolved, threat_start, threat_end, observed, tags, attacks, data, meta, search)`
}

/** A list as PostgreSQL prints it: lists of different lengths cannot stand in one list. */
const literal = (texts: readonly string[]): string => (texts.length === 0 ? '{}' : `{${texts.map(quoted).join(',')}}`)

const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes('\\') ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
