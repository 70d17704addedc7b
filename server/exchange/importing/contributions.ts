import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import type { Context } from '../../engine/context.ts'
import { textList, uuidList } from '../../fast/binary-arrays.ts'
import type { FoundObservable } from '../../formats/finding.ts'
import { sourceOf } from '../../identity/access/visibility.ts'

/** A feed that imports, and that removes what it wrote once its sender no longer has it. */
export interface Contributor {
  readonly feed: number
  /** The number of the transfer, in the order of arrival. */
  readonly transfer: number
  /** Whether the transfer contains everything that the sender has. */
  readonly isWhole: boolean
  /** Whether it is part of a complete transfer: its content is recorded, to find what is gone. */
  readonly isOfWhole: boolean
  /** Whether no later transfer was processed yet: older content removes nothing. */
  readonly isNewest: boolean
  /** What happens to entities that the sender withdrew. */
  readonly withdrawn: 'keep' | 'mark' | 'delete'
}

/** Parts of an entity that can be removed individually. */
export interface Parts {
  readonly tags: readonly string[]
  readonly attacks: readonly string[]
  readonly taxonomies: readonly number[]
  readonly attachments: readonly string[]
  readonly observables: readonly number[]
}

/** What a feed has written of an entity so far. */
export interface Contribution extends Parts {
  readonly entity: string
  /** Observables that only a separate relationship attaches: the entity alone does not show when they are gone. */
  readonly attached: readonly number[]
  /** Whether the parts were recorded. */
  readonly is_known: boolean
}

/** Whether the entity `e` still belongs to a source: an analyst may have moved it to that of a group. */
export const isOf = (source: string): RawBuilder<SqlBool> =>
  sql`${sourceOf(sql`e.vis`)} = (select s.number from sources as s where s.id = ${source}::uuid)`

/** What a feed wrote of these entities before, by entity id. */
export async function findContributions(
  { db }: Context,
  { feed }: Contributor,
  entities: readonly string[],
): Promise<Map<string, Contribution>> {
  if (entities.length === 0) return new Map()
  const { rows } = await sql<Contribution>`
    select entity, tags, attacks, taxonomies, attachments, observables, attached, transfer > 0 as is_known
    from feed_entities
    where feed = ${feed} and entity = any(${uuidList([...entities])}::uuid[])`.execute(db)
  return new Map(rows.map((row) => [row.entity, row]))
}

/** Records what a feed has written of entities so far. */
export async function noteContributions(
  { db }: Context,
  { feed, transfer }: Contributor,
  all: readonly Omit<Contribution, 'is_known'>[],
): Promise<void> {
  if (all.length === 0) return
  const documents = all.map((each) => JSON.stringify(each))
  await sql`
    insert into feed_entities (feed, entity, transfer, tags, attacks, taxonomies, attachments, observables, attached)
    select distinct on (i.entity) ${feed}::integer, i.entity, ${transfer}::bigint,
      array(select jsonb_array_elements_text(i.tags)), array(select jsonb_array_elements_text(i.attacks)),
      array(select jsonb_array_elements_text(i.taxonomies)::integer),
      array(select jsonb_array_elements_text(i.attachments)::uuid),
      array(select jsonb_array_elements_text(i.observables)::integer),
      array(select jsonb_array_elements_text(i.attached)::integer)
    from unnest(${textList(documents)}::text[]) as d(document),
      jsonb_to_record(d.document::jsonb) as i(
        entity uuid, tags jsonb, attacks jsonb, taxonomies jsonb, attachments jsonb, observables jsonb, attached jsonb)
    on conflict (feed, entity) do update
    set transfer = excluded.transfer, tags = excluded.tags, attacks = excluded.attacks, taxonomies = excluded.taxonomies,
      attachments = excluded.attachments, observables = excluded.observables, attached = excluded.attached,
      gone_transfer = null, gone_at = null`.execute(db)
}

/** Records that entities are in a transfer, even if they were not stored. */
export async function notePresence(
  { db }: Context,
  { feed, transfer }: Contributor,
  stixIds: readonly string[],
): Promise<void> {
  if (stixIds.length === 0) return
  await sql`
    update feed_entities as t set transfer = ${transfer}::bigint, gone_transfer = null, gone_at = null
    from entities as e
    where e.stix_id = any(${textList([...stixIds])}::text[]) and t.entity = e.id and t.feed = ${feed}
      and (t.transfer < ${transfer}::bigint or t.gone_transfer is not null)`.execute(db)
}

/** Records that a transfer removed entities: a feed may delete them if the next transfer does not have them either. */
export async function noteGone(
  { db }: Context,
  { feed, transfer }: Contributor,
  entities: readonly string[],
): Promise<void> {
  await sql`
    update feed_entities set gone_transfer = ${transfer}::bigint, gone_at = now()
    where feed = ${feed} and entity = any(${uuidList([...entities])}::uuid[])`.execute(db)
}

/** The parts of an entity that a feed wrote before and no longer says. */
export const lostOf = (before: Contribution | undefined, said: Parts, isWhole: boolean): Parts => {
  if (!before?.is_known) return NONE
  const gone = isWhole ? [...before.observables, ...before.attached] : before.observables
  return {
    tags: without(before.tags, said.tags),
    attacks: without(before.attacks, said.attacks),
    taxonomies: without(before.taxonomies, said.taxonomies),
    attachments: without(before.attachments, said.attachments),
    observables: without(gone, [...said.observables, ...(isWhole ? [] : before.attached)]),
  }
}

export const NONE: Parts = { tags: [], attacks: [], taxonomies: [], attachments: [], observables: [] }

/**
 * The parts that count as written by a feed: all that it says, without those that others had added before. If its earlier parts were
 * not recorded, all count.
 */
export function ownOf(there: Parts, before: Contribution | undefined, said: Parts): Parts {
  if (!before?.is_known) return said
  const own = <T>(name: keyof Parts, more: readonly unknown[] = []): T[] => {
    const others = new Set<unknown>(without<unknown>(there[name], [...before[name], ...more]))
    return (said[name] as readonly unknown[]).filter((each) => !others.has(each)) as T[]
  }
  return {
    tags: own('tags'),
    attacks: own('attacks'),
    taxonomies: own('taxonomies'),
    attachments: own('attachments'),
    observables: own('observables', before.attached),
  }
}

/** A list without the members of another. */
export const without = <T>(list: readonly T[], others: readonly T[]): T[] => {
  const excluded = new Set(others)
  return list.filter((each) => !excluded.has(each))
}

/** The ids of stored observables, by the entity that they are wanted for. */
export async function idsOfObservables(
  { db }: Context,
  wanted: readonly { readonly entity: string; readonly observable: Pick<FoundObservable, 'type' | 'value'> }[],
): Promise<Map<string, Set<number>>> {
  const named = wanted.flatMap(({ entity, observable }) => {
    const found = observableOf(observable.type, observable.value)
    return 'fault' in found ? [] : [{ entity, type: found.type, value: found.value }]
  })
  if (named.length === 0) return new Map()
  const { rows } = await sql<{ entity: string; id: number }>`
    select w.entity, o.id
    from unnest(
      ${uuidList(named.map(({ entity }) => entity))}::uuid[],
      ${textList(named.map(({ type }) => type))}::text[],
      ${textList(named.map(({ value }) => value))}::text[]) as w(entity, type, value)
    join observables as o on observable_key(o.value) = observable_key(w.value) and o.type = w.type`.execute(db)
  const byEntity = new Map<string, Set<number>>()
  for (const { entity, id } of rows) byEntity.set(entity, (byEntity.get(entity) ?? new Set()).add(id))
  return byEntity
}
