import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { type Kysely, sql } from 'kysely'
import { documentOf } from '../../server/formats/document.ts'
import { readStix1 } from '../../server/formats/stix1/read/read-stix1.ts'
import { CORVUS } from '../../server/formats/stix2/extension.ts'

// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
type Json = Record<string, any>

/** A consumer that applies the blocks of a feed in order. */
export interface Consumer {
  apply(block: string): Promise<void>
  /** Fetches the new objects of a collection. */
  poll?(db: Kysely<unknown>, feed: number): Promise<void>
  /** Compares the state of the consumer with a document that has the complete content. */
  check(whole: string): Promise<void>
}

const rowsIn = (table: string): string[][] => {
  const rows = parse(table, { relaxColumnCount: false, recordDelimiter: '\r\n' })
  return rows as string[][]
}

/** The cells of a row, except those that change by themselves. */
const RELEVANCY = new Set(['meta.relevancy', 'calculated.relevancy', 'relevancy'])
const lasting = (head: readonly string[], row: readonly string[]): string =>
  JSON.stringify(row.filter((_, i) => !RELEVANCY.has(head[i] ?? '')))

/**
 * Applies differences in three ways that must agree: by whole rows, by their subjects, and by their subjects with the additions of
 * a block before its removals. A removed row must have been sent before.
 */
export function diffConsumer(): Consumer {
  const rows = new Set<string>()
  const values = new Set<string>()
  const backwards = new Set<string>()
  const named = (head: readonly string[], row: readonly string[]) =>
    (head.includes('value') ? ['type', 'value'] : ['data.id']).map((name) => row[head.indexOf(name)]).join(' ')
  return {
    apply: async (block) => {
      const [head = [], ...lines] = rowsIn(block)
      assert.equal(head[0], 'diff')
      assert.ok(lines.length > 0)
      const order = lines.map(([diff]) => diff)
      assert.deepEqual(order, [...order].sort().reverse(), 'what went comes first')
      for (const [diff, ...row] of lines) {
        const [cells, value] = [JSON.stringify(row), named(head.slice(1), row)]
        if (diff === 'del') assert.ok(rows.delete(cells), `was never sent: ${cells}`)
        else rows.add(cells)
        if (diff === 'del') values.delete(value)
        else values.add(value)
        if (diff === 'add') backwards.add(value)
      }
      for (const [diff, ...row] of lines) if (diff === 'del') backwards.delete(named(head.slice(1), row))
    },
    check: async (whole) => {
      const [head = [], ...lines] = rowsIn(whole)
      const held = [...rows].map((cells) => lasting(head, JSON.parse(cells)))
      assert.deepEqual(held.sort(), lines.map((row) => lasting(head, row)).sort())
      const wanted = [...new Set(lines.map((row) => named(head, row)))].sort()
      assert.deepEqual([...values].sort(), wanted)
      assert.deepEqual([...backwards].sort(), wanted)
    },
  }
}

/** Keeps the last version of each row; the feed does not report removed ones. */
export function rowsConsumer(): Consumer {
  const rows = new Map<string, string>()
  const keyOf = (head: readonly string[], row: readonly string[]) =>
    ['entity.id', 'id', 'value_url'].map((name) => row[head.indexOf(name)]?.replace(/^https?:\/\/[^/]+/, '')).join(' ')
  const each = (table: string, use: (key: string, row: string) => void) => {
    const [head = [], ...lines] = rowsIn(table)
    for (const row of lines) use(keyOf(head, row), lasting(head, row))
    return lines.length
  }
  return {
    apply: async (block) => assert.ok(each(block, (key, row) => rows.set(key, row)) > 0),
    check: async (whole) => void each(whole, (key, row) => assert.equal(rows.get(key), row)),
  }
}

/** Replaces its state with each block. */
export function replaceConsumer(): Consumer {
  let last = ''
  return {
    apply: async (block) => {
      last = block
    },
    check: async (whole) => assert.equal(last, whole),
  }
}

/** Keeps STIX objects by id and version. */
export function stixConsumer(): Consumer & { readonly held: Map<string, Json>; take(objects: readonly Json[]): void } {
  const held = new Map<string, Json>()
  const plain = ({ modified: _, ...object }: Json) => object
  const take = (objects: readonly Json[]) => {
    for (const object of objects) {
      const before = held.get(object.id)
      if (before?.modified && object.modified)
        assert.ok(
          Date.parse(object.modified) >= Date.parse(before.modified) && object.modified !== before.modified,
          'is no later version',
        )
      held.set(object.id, object)
    }
  }
  return {
    held,
    take,
    apply: async (block) => {
      const { objects } = JSON.parse(block)
      assert.ok(objects.length > 0)
      assert.equal(new Set(objects.map(({ id }: Json) => id)).size, objects.length)
      take(objects)
    },
    check: async (whole) => {
      const wanted = new Map<string, Json>(JSON.parse(whole).objects.map((object: Json) => [object.id, object]))
      for (const [id, object] of wanted) assert.deepEqual(plain(held.get(id) ?? {}), plain(object))
      const isLeft = ({ id, type, modified, revoked }: Json) =>
        !wanted.has(id) && modified !== undefined && revoked !== true && type !== 'extension-definition' && isOwn(id)
      assert.deepEqual([...held.values()].filter(isLeft), [])
    },
  }
}

/** Polls a collection for objects added since the last poll; if objects are removed, it also reads the manifest. */
export function taxiiConsumer(isReplaced: boolean): Consumer {
  const { held, take, check } = stixConsumer()
  let last = '-infinity'
  const poll = async (db: Kysely<unknown>, feed: number) => {
    const { rows } = await sql<{ added_at: string; object: string }>`
      select added_at, object from collection_objects
      where feed = ${feed} and added_at > ${last}::timestamptz
      order by added_at`.execute(db)
    last = rows.at(-1)?.added_at ?? last
    take(rows.map(({ object }) => JSON.parse(object)))
    const manifest = await sql<{ id: string; version: string; modified: string | null }>`
      select stix_id as id, version, (object::jsonb ->> 'modified')::timestamptz as modified
      from collection_objects where feed = ${feed} and is_latest`.execute(db)
    for (const { version, modified } of manifest.rows) if (modified !== null) assert.equal(version, modified)
    const ids = new Set(manifest.rows.map(({ id }) => id))
    for (const id of held.keys()) if (!ids.has(id)) assert.ok(isReplaced && held.delete(id))
  }
  const apply = () => assert.fail('collections have no blocks')
  return {
    apply,
    poll,
    check: async (whole) => {
      await check(whole)
      if (isReplaced) assert.equal(held.size, JSON.parse(whole).objects.length)
    },
  }
}

/** The identity of the platform comes with its extension and is never removed. */
const isOwn = (id: string): boolean => id !== CORVUS.id

/** Keeps the latest version of each entity and each relationship in the platform's JSON. */
export function jsonConsumer(): Consumer {
  const held = new Map<string, Json>()
  const itemsIn = (text: string): Json[] => {
    const { entities, relationships, relations } = JSON.parse(text)
    return [...entities, ...(relationships ?? relations)].map(({ relevancy: _, ...item }: Json) => item)
  }
  return {
    apply: async (block) => {
      const items = itemsIn(block)
      assert.ok(items.length > 0)
      for (const item of items) held.set(item.id, item)
    },
    check: async (whole) => {
      for (const item of itemsIn(whole)) assert.deepEqual(held.get(item.id), item)
    },
  }
}

/** Reads STIX 1.2, in which an entity contains all relationships that start at it. */
export function stix1Consumer(): Consumer {
  const entities = new Map<string, Json>()
  const relationships = new Map<string, Json[]>()
  const read = async (text: string) => {
    const found = await Array.fromAsync(readStix1(documentOf(text)))
    const own = found.flatMap((finding) => (finding.kind === 'entity' ? [withoutSource(finding.entity)] : []))
    const between = found.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship as Json] : []))
    return { own, between: Map.groupBy(between, ({ data }) => data.source) }
  }
  return {
    apply: async (block) => {
      const { own, between } = await read(block)
      assert.ok(own.length > 0)
      for (const entity of own) {
        entities.set(entity.data.id, entity)
        relationships.set(entity.data.id, between.get(entity.data.id) ?? [])
      }
    },
    check: async (whole) => {
      const { own, between } = await read(whole)
      for (const entity of own) {
        assert.deepEqual(entities.get(entity.data.id), entity)
        assert.deepEqual(sorted(relationships.get(entity.data.id)), sorted(between.get(entity.data.id)))
      }
    },
  }
}

/** The time and creator of a package are read as the information source of its parts. */
const withoutSource = ({ data: { information_source: _, ...data }, ...entity }: Json): Json => ({ ...entity, data })

const sorted = (list: readonly Json[] = []) => list.map((item) => JSON.stringify(item)).sort()
