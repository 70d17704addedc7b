import { sql } from 'kysely'
import type { Context, Item } from '../../engine/context.ts'
import { uuidList } from '../../fast/binary-arrays.ts'
import { sourceOf } from '../../identity/access/visibility.ts'
import type { Coverage } from './coverage.ts'
import { isAssigned, MATCHED_TYPES } from './matching/keys.ts'
import { subjectOf } from './matching/subject.ts'

interface Stored {
  readonly stix_id: string
  readonly type: string
  readonly policy: number | null
  readonly source: number
  readonly title: string
}

interface Read {
  readonly entity: string
  readonly is_present: boolean
  readonly stix_id: string
  readonly type: string
  readonly source: number
  /** Null for entities that take no part. */
  readonly data: Item | null
  readonly alias: string | null
  readonly observables: number[]
  readonly keys: string[]
  readonly known: Stored | null
  readonly is_contributor: boolean
}

interface Wanted extends Stored {
  readonly entity: string
  readonly keys: readonly string[]
  readonly isSubject: boolean
}

/** An entity that has or had a part in consolidation. */
export interface Involved {
  readonly entity: string
  /** The keys that it has now. */
  readonly keys: readonly string[]
  readonly is_contributor: boolean
}

/** What changed in the keys that entities are compared by. */
export interface Refreshed {
  readonly involved: readonly Involved[]
  /** Entities that do not exist any more. */
  readonly gone: readonly string[]
  /** The keys that some of them do not have any more. */
  readonly lost: readonly string[]
  /** All keys that they have or had, and by how much the number of members of each changed. */
  readonly changes: ReadonlyMap<string, number>
}

/** Brings the rows that these entities are compared by up to date. */
export async function refreshSubjects(
  ctx: Pick<Context, 'db'>,
  coverage: Coverage,
  entities: readonly string[],
): Promise<Refreshed> {
  const read = await readEntities(ctx, entities)
  const wanted = read.map((row) => wantedOf(row, coverage))
  await store(ctx, read, wanted)
  const changes = new Map<string, number>()
  const count = (key: string, by: number) => changes.set(key, (changes.get(key) ?? 0) + by)
  for (const { keys } of read) for (const key of keys) count(key, -1)
  for (const { keys } of wanted) for (const key of keys) count(key, 1)
  return {
    involved: read.flatMap(({ entity, keys: before, known, is_contributor }, i) => {
      const { keys, isSubject } = wanted[i] as Wanted
      return known || is_contributor || isSubject || before.length > 0 ? [{ entity, keys, is_contributor }] : []
    }),
    gone: read.filter(({ is_present }) => !is_present).map(({ entity }) => entity),
    lost: [...new Set(read.flatMap(({ keys }, i) => without(keys, wanted[i]?.keys ?? [])))],
    changes,
  }
}

async function readEntities({ db }: Pick<Context, 'db'>, entities: readonly string[]): Promise<Read[]> {
  const { rows } = await sql<Read>`
    with asked as materialized (
      select i.id as entity, e.id is not null as is_present, e.stix_id, e.type, e.vis, e.data, e.meta, coalesce(
        e.type = any(${MATCHED_TYPES}::text[]) and not e.is_unified and not e.is_unresolved and not e.is_withdrawn, false) as takes_part
      from unnest(${uuidList(entities)}::uuid[]) as i(id) left join entities as e on e.id = i.id
    )
    select a.entity, a.is_present, a.stix_id, a.type, ${sourceOf(sql`a.vis`)} as source,
      case when a.takes_part then a.data end as data,
      case when a.takes_part then a.meta ->> 'alias' end as alias,
      case when a.takes_part and a.type = 'indicator'
        then array(select l.target from entity_observables as l where l.source = a.entity order by 1) else '{}' end as observables,
      array(select k.key from match_keys as k where k.entity = a.entity) as keys,
      (select to_jsonb(s) - 'entity' from match_subjects as s where s.entity = a.entity) as known,
      exists (select from contributors as m where m.entity = a.entity) as is_contributor
    from asked as a`.execute(db)
  return rows
}

/** What should be stored for an entity. Entities without a policy are compared only if a person joined them with others. */
function wantedOf(row: Read, coverage: Coverage): Wanted {
  const { entity, stix_id, type, source, data, alias, observables } = row
  const assigned = row.is_present ? row.keys.filter(isAssigned) : []
  const policy = data === null ? null : coverage.policyOf(type, source)
  const plain = { entity, stix_id, type, policy, source, title: '', keys: assigned, isSubject: false }
  if (data === null || (policy === null && assigned.length === 0)) return plain
  const { title, keys } = subjectOf({ id: entity, stix_id, type, source, data, ...(alias && { alias }), observables })
  return { ...plain, title, keys: policy === null ? assigned : [...assigned, ...keys], isSubject: true }
}

/** Writes the differences. */
async function store({ db }: Pick<Context, 'db'>, read: readonly Read[], wanted: readonly Wanted[]): Promise<void> {
  const lost: Pair[] = []
  const made: Pair[] = []
  read.forEach(({ entity, keys }, i) => {
    const now = wanted[i]?.keys ?? []
    lost.push(...without(keys, now).map((key) => ({ entity, key })))
    made.push(...without(now, keys).map((key) => ({ entity, key })))
  })
  const gone = read.filter(({ known }, i) => known !== null && !wanted[i]?.isSubject).map(({ entity }) => entity)
  const put = wanted.filter((each, i) => each.isSubject && !isSame(each, read[i]?.known ?? null))
  if (lost.length + made.length + gone.length + put.length === 0) return
  await sql`
    with lost as (
      delete from match_keys as k
      using unnest(${uuidList(entitiesOf(lost))}::uuid[], ${keysOf(lost)}::text[]) as l(entity, key)
      where k.key = l.key collate "C" and k.entity = l.entity
    ), made as (
      insert into match_keys (entity, key)
      select * from unnest(${uuidList(entitiesOf(made))}::uuid[], ${keysOf(made)}::text[])
      on conflict do nothing
    ), gone as (
      delete from match_subjects where entity = any(${uuidList(gone)}::uuid[])
    )
    insert into match_subjects (entity, stix_id, type, policy, source, title)
    select * from unnest(${uuidList(entitiesOf(put))}::uuid[], ${put.map(({ stix_id }) => stix_id)}::text[],
      ${put.map(({ type }) => type)}::text[], ${put.map(({ policy }) => policy)}::integer[],
      ${put.map(({ source }) => source)}::integer[], ${put.map(({ title }) => title)}::text[])
    on conflict (entity) do update set (stix_id, type, policy, source, title) =
      (excluded.stix_id, excluded.type, excluded.policy, excluded.source, excluded.title)`.execute(db)
}

interface Pair {
  readonly entity: string
  readonly key: string
}

const entitiesOf = (rows: readonly { readonly entity: string }[]): string[] => rows.map(({ entity }) => entity)
const keysOf = (pairs: readonly Pair[]): string[] => pairs.map(({ key }) => key)

const isSame = (a: Stored, b: Stored | null): boolean =>
  b !== null &&
  a.stix_id === b.stix_id &&
  a.type === b.type &&
  a.policy === b.policy &&
  a.source === b.source &&
  a.title === b.title

function without(keys: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others)
  return keys.filter((key) => !known.has(key))
}
