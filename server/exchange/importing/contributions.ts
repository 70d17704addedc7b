import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { observableOf } from '../../domain/observables/read.ts'
import { textList, uuidList } from '../../engine/binary.ts'
import type { Context } from '../../engine/resource.ts'
import type { FoundObservable } from '../../formats/finding.ts'
import { sourceOf } from '../../identity/access/visibility.ts'

/** A feed that writes, and that takes away again what it wrote and its sender no longer has. */
export interface Contributor {
  readonly feed: number
  /** The place of what is imported among all that came. */
  readonly transfer: number
  /** Whether it has everything that the sender has. */
  readonly isWhole: boolean
  /** Whether it is a part of a transfer that has everything: what is in it is noted, to find what is gone. */
  readonly isOfWhole: boolean
  /** Whether nothing later was processed already: older content takes nothing away. */
  readonly isNewest: boolean
  /** What becomes of entities that the sender withdrew. */
  readonly withdrawn: 'keep' | 'mark' | 'delete'
}

/** Parts of an entity that can be taken away one by one. */
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
  /** Observables that only a relationship of their own joins to it: the entity alone does not tell when they go. */
  readonly attached: readonly number[]
  /** Whether it is known which parts were the feed's. */
  readonly is_known: boolean
}

/** Whether the entity `e` still belongs to a source: an analyst may have taken it over for a group. */
export const isOf = (source: string): RawBuilder<SqlBool> =>
  sql`${sourceOf(sql`e.vis`)} = (select s.number from sources as s where s.id = ${source}::uuid)`

/** What feeds wrote of these entities before, by their ids. */
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

/** Notes what a feed has written of entities by now. */
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

/** Notes that entities are in a transfer, whatever became of them there. */
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

/** Notes that a transfer took entities away, for a feed that deletes such entities when the next one does not have them either. */
export async function noteGone(
  { db }: Context,
  { feed, transfer }: Contributor,
  entities: readonly string[],
): Promise<void> {
  await sql`
    update feed_entities set gone_transfer = ${transfer}::bigint, gone_at = now()
    where feed = ${feed} and entity = any(${uuidList([...entities])}::uuid[])`.execute(db)
}

/** What a feed no longer says of an entity, out of what it said before. */
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
 * What is a feed's own of what it says: all but what was there before and was not the feed's. Of what it wrote before that was
 * remembered, what it says still is taken for its own.
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

export const without = <T>(list: readonly T[], others: readonly T[]): T[] => {
  const left = new Set(others)
  return list.filter((each) => !left.has(each))
}

/** The ids of observables, by the entity that is to have them. */
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
