import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { causedBy } from '../../engine/cause.ts'
import type { Context, Item } from '../../engine/context.ts'
import { joinDocument, type MemberColumn, storedColumns, withoutPlaced } from '../../engine/document.ts'
import { logged as note, noted } from '../../engine/log.ts'
import { documentList, integerList, textList, uuidList, vectorList } from '../../fast/binary-arrays.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import { requireVersion, type Shape } from '../shaping/shape.ts'
import { linkedIds, linking, type ObservableLinks, readIds } from './link-observables.ts'
import { metaColumns, metaMembers } from './meta.ts'
import type { EntityRow, StoredMeta } from './state.ts'

/** The row of an entity. */
export interface StoredEntity {
  readonly id: string
  readonly stix_id: string
  readonly type: string
  readonly vis: number
  readonly is_unresolved: boolean
  readonly data: Item
  /** The data as JSON. */
  readonly text: string
  readonly meta: StoredMeta
  readonly search: Buffer
  /** The entity rules that changed it in this write. */
  readonly ruledBy?: readonly number[]
}

/** The result of an insert. */
export interface Inserted {
  readonly count: number
  readonly now: string
  /** The epoch of the dictionary, which stays locked until the transaction ends. */
  readonly epoch: number
  /** The ids of the distinct observables; empty if they were not linked. */
  readonly observables: readonly (number | null)[]
  isMade(id: string): boolean
}

/**
 * Inserts the entities whose STIX ids are new, and links their observables if given, in one statement. Fails if the shape that
 * they were checked against has changed since; until the transaction ends, it cannot change any more.
 */
export async function insertEntities(
  ctx: Context,
  entities: readonly StoredEntity[],
  links?: ObservableLinks,
  shape?: Shape,
): Promise<Inserted> {
  // The ids are only needed if some entities existed.
  const { rows } = await sql<Made>`
    with made as (
      insert into entities (${columns}, is_withdrawn, created_by)
      select ${storedValues}, ${isRevoked('i')}, nullif(${ctx.caller.id}::integer, 0)
      from ${rowsOf(entities)}
      order by i.stix_id
      on conflict (stix_id) do nothing
      returning id, vis
    ), ${loggedWithRules(ctx, 'create', 'made', entities)} ${links ? sql`, ${linking(ctx, links, sql`made`)}` : sql``}
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
 * Updates entities and stores their previous state as versions; a placeholder leaves no version. Returns the epoch of the
 * dictionary, which stays locked until the transaction ends.
 */
export async function updateEntities(
  ctx: Context,
  entities: readonly (StoredEntity & { readonly before: object })[],
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
        (select ${storedValues}, case when ${isRevoked('i')} then true when ${isRevoked('t')} then false else t.is_withdrawn end,
          case when t.is_unresolved then t.version else t.version + 1 end, now())
      from i
      where t.id = i.id
      returning t.id
    ), ${loggedWithRules(ctx, 'update', 'changed', entities)}
    select ${SHAPE} as shape, hold_dictionary() as epoch`.execute(ctx.db)
  if (shape) requireVersion(shape, rows[0]?.shape)
  return rows[0]?.epoch ?? 0
}

type FindEntities = (
  ctx: Context,
  by: 'stix_id' | 'id',
  keys: readonly string[],
  isVisible: RawBuilder<SqlBool>,
) => Promise<(EntityRow & { is_visible: boolean })[]>

/** Existing entities, locked in the order of their STIX ids so that two requests cannot deadlock. */
export const lockEntities: FindEntities = (ctx, by, keys, isVisible) =>
  findEntities(ctx, by, keys, isVisible, sql`for update of t`)

/** The same without a lock, to say what a write would do. */
export const readEntities: FindEntities = (ctx, by, keys, isVisible) => findEntities(ctx, by, keys, isVisible, sql``)

async function findEntities(
  ctx: Context,
  by: 'stix_id' | 'id',
  keys: readonly string[],
  isVisible: RawBuilder<SqlBool>,
  lock: RawBuilder<unknown>,
): Promise<(EntityRow & { is_visible: boolean })[]> {
  const type = sql.raw(by === 'id' ? 'uuid[]' : 'text[]')
  const { rows } = await sql<Locked>`
    select t.id, t.stix_id, t.vis, t.is_unresolved, t.is_unified, t.data, ${storedColumns('meta', metaMembers)},
      ${isVisible} as is_visible,
      (select s.id from numbered_sources as s where s.number = ${sourceOf(sql`t.vis`)}) as source,
      array(select l.target from entity_observables as l where l.source = t.id order by 1) as observables
    from entities as t
    where t.${sql.ref(by)} = any(${keys}::${type})
    order by t.stix_id
    ${lock}`.execute(ctx.db)
  return rows.map((row) => ({ ...row, meta: joinDocument('meta', metaMembers, row) as unknown as StoredMeta }))
}

type Locked = EntityRow & Item & { is_visible: boolean }

/** Logs which entities a statement changed. */
export const logged = (ctx: Context, kind: string, rows: RawBuilder<unknown>) =>
  note(ctx, { collection: 'entities' }, kind, rows)

/** Logs entities that rules changed separately, with these rules as their cause. Another automation that writes stays the cause. */
function loggedWithRules(ctx: Context, kind: string, table: string, entities: readonly StoredEntity[]) {
  const ruled = ctx.cause ? [] : entities.filter(({ ruledBy }) => ruledBy !== undefined)
  if (ruled.length === 0) return logged(ctx, kind, sql.table(table))
  const rules = [...new Set(ruled.flatMap(({ ruledBy = [] }) => ruledBy))].sort((a, b) => a - b)
  const by = { ...ctx, cause: causedBy('rule', rules.join(), []) }
  const isRuled = sql`r.id = any(${uuidList(ruled.map(({ id }) => id))}::uuid[])`
  const [own, others] = [sql`${isRuled}`, sql`not ${isRuled}`].map(
    (condition) => sql`(select r.id from ${sql.table(table)} as r where ${condition}) as r`,
  ) as [RawBuilder<unknown>, RawBuilder<unknown>]
  return sql`logged_with_rules as (${noted(by, { collection: 'entities' }, kind, own)}), ${logged(ctx, kind, others)}`
}

/** Whether the data of a row says that its publisher has revoked it. */
const isRevoked = (alias: string) => sql`coalesce(${sql.ref(`${alias}.data`)} -> 'revoked' = 'true'::jsonb, false)`

const SHAPE = sql`(select s.version from entity_shape as s)`

/** A column of the table, and the form in which its values are sent. */
interface Column {
  readonly name: string
  /** All values as a binary array of the type `sent`; `cast` turns one of them into a value of the column. */
  list(entities: readonly StoredEntity[]): Buffer
  readonly sent: string
  readonly cast?: string
}

/** The columns that are written. */
const COLUMNS: readonly Column[] = [
  { name: 'id', sent: 'uuid', list: (all) => uuidList(all.map(({ id }) => id)) },
  { name: 'stix_id', sent: 'text', list: (all) => textList(all.map(({ stix_id }) => stix_id)) },
  { name: 'type', sent: 'text', list: (all) => textList(all.map(({ type }) => type)) },
  { name: 'vis', sent: 'integer', list: (all) => integerList(all.map(({ vis }) => vis)) },
  {
    name: 'is_unresolved',
    sent: 'integer',
    cast: 'boolean',
    list: (all) => integerList(all.map(({ is_unresolved }) => Number(is_unresolved))),
  },
  { name: 'data', sent: 'jsonb', list: (all) => documentList(all.map(({ text }) => text)) },
  {
    name: 'meta',
    sent: 'jsonb',
    list: (all) => documentList(all.map(({ meta }) => JSON.stringify(withoutPlaced(metaMembers, { ...meta })))),
  },
  { name: 'search', sent: 'tsvector', list: (all) => vectorList(all.map(({ search }) => search)) },
  ...metaColumns.map(ownColumn),
]

/** The column of a member of the meta. Arrays of different lengths cannot be the items of an array, so they are sent as text. */
function ownColumn({ name, column, type }: MemberColumn): Column {
  const values = <T>(all: readonly StoredEntity[]): T[] => all.map(({ meta }) => (meta as Item)[name] as T)
  if (type === 'integer') return { name: column, sent: type, list: (all) => integerList(values(all)) }
  if (type === 'text[]')
    return { name: column, sent: 'text', cast: type, list: (all) => textList(values<string[]>(all).map(literal)) }
  return { name: column, sent: 'text', cast: type, list: (all) => textList(values(all)) }
}

const columns = sql.join(COLUMNS.map(({ name }) => sql.ref(name)))
/** The values of the columns from the rows `i` of `rowsOf`. */
export const storedValues = sql.raw(
  COLUMNS.map(({ name, cast }) => (cast ? `i.${name}::${cast}` : `i.${name}`)).join(', '),
)

/** Entities as the rows `i` of a statement. */
export const rowsOf = (entities: readonly StoredEntity[]) =>
  sql`unnest(${sql.join(COLUMNS.map(({ sent, list }) => sql`${list(entities)}::${sql.raw(sent)}[]`))}) as i(${columns})`

/** An array literal. */
const literal = (texts: readonly string[]): string => (texts.length === 0 ? '{}' : `{${texts.map(quoted).join(',')}}`)

const quoted = (text: string): string =>
  `"${text.includes('"') || text.includes('\\') ? text.replaceAll(/["\\]/g, '\\$&') : text}"`
