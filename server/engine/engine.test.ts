import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { z } from 'zod'
import { createDatabase, type TestDatabase } from '../../test/database.ts'
import type { Collection } from '../collections.ts'
import type { AnyRow, Context, Item } from './context.ts'
import type { Resource } from './definition.ts'
import { bool, computed, int, json, name, oneOf, real, ref, refs, secret, strings, text, timestamp } from './field.ts'
import { PASS_THROUGH } from './field-class.ts'
import { merge } from './merge.ts'
import { present, project } from './present.ts'
import { planList } from './query.ts'
import { defineResource } from './resource.ts'
import { standard } from './standard.ts'

/** A resource with every kind of field, on the path of an existing one: the engine knows resources only by their definition. */
const things = defineResource({
  collection: 'sources',
  table: 'things',
  title: 'Thing',
  doc: 'Anything.',
  key: ['name'],
  fields: {
    name: name(),
    note: text(0, 10).nullable(),
    count: int(0, 10).default(3),
    share: real().nullable(),
    is_on: bool().default(true),
    kind: oneOf(['a', 'b']).default('a'),
    tags: strings(),
    document: json(z.looseObject({ title: z.string(), size: z.int().optional() })).default({ title: '' }),
    password: secret(),
    seen_at: timestamp().nullable(),
    double: computed('integer', z.int(), 't.count * 2'),
    members: refs('users', 'thing_members', {
      attribute: { name: 'role', values: ['member', 'admin'], default: 'member' },
    }),
    created_at: timestamp().stamped('created-at'),
    last_updated_at: timestamp().stamped('updated-at'),
  },
})

let database: TestDatabase
let ctx: Context

before(async () => {
  database = await createDatabase()
  await database.pool.query(`
    create table things (
      id uuid primary key, name text not null unique, note text, count integer not null, share real, is_on boolean not null,
      kind text not null, tags text[] not null, document jsonb not null, password text, seen_at timestamptz,
      created_at timestamptz not null, last_updated_at timestamptz not null);
    create table thing_members (
      source uuid references things on delete cascade, target integer references users on delete cascade,
      role text not null, primary key (source, target))`)
  const vault = { seal: (plain: string) => `sealed ${plain}`, open: (sealed: string) => sealed.slice(7) }
  const users = defineResource({
    collection: 'users',
    title: 'User',
    doc: '',
    key: ['username'],
    fields: { username: name() },
  })
  ctx = {
    db: database.db,
    vault,
    taskTypes: new Map(),
    resources: new Map<Collection, Resource>([
      ['sources', things],
      ['users', users],
    ]),
    caller: { id: 1, permissions: new Set() },
    baseUrl: 'http://corvus.test',
  }
})
after(() => database.drop())

const put = async (item: Item): Promise<AnyRow> => {
  const { rows } = await standard.upsert(ctx, things, [item])
  return rows[0] ?? assert.fail('nothing was stored')
}
const find = async (query: Record<string, string[]>): Promise<unknown[]> =>
  (await standard.list(ctx, things, planList(things, query))).rows.map((row) => row.name)

test('defaults fill a new row, and values of every kind are returned as they were sent', async () => {
  const made = await put({ name: 'plain' })
  assert.deepEqual([made.note, made.count, made.is_on, made.kind, made.tags], [null, 3, true, 'a', []])
  assert.equal(made.double, 6)
  const full = await put({
    name: 'full',
    note: 'n',
    count: 7,
    share: 0.5,
    is_on: false,
    kind: 'b',
    tags: ['x', 'y "z"'],
    document: { title: 't', deep: { list: [1, null] } },
    seen_at: '2024-01-29T07:42:07.059329+00:00',
  })
  assert.deepEqual([full.share, full.tags, full.seen_at], [0.5, ['x', 'y "z"'], '2024-01-29T07:42:07.059329+00:00'])
  assert.deepEqual(full.document, { title: 't', deep: { list: [1, null] } })
})

test('a secret is stored sealed, shown as the pass-through token, and kept when the token comes back', async () => {
  const made = await put({ name: 'secretive', password: 'hush' })
  assert.equal(present(ctx, things, made).password, PASS_THROUGH)
  const stored = async () =>
    (await sql<{ password: string }>`select password from things where name = 'secretive'`.execute(ctx.db)).rows[0]
      ?.password
  assert.equal(await stored(), 'sealed hush')
  await standard.update(ctx, things, made.id, { note: 'changed' })
  assert.equal(await stored(), 'sealed hush')
  await standard.update(ctx, things, made.id, { password: null })
  assert.equal(await stored(), null)
  assert.equal(present(ctx, things, await standard.get(ctx, things, made.id)).password, null)
})

test('a link carries its attribute, and putting it again changes the attribute', async () => {
  const made = await put({ name: 'linked', members: [{ id: 1, attribute: 'member' }] })
  const members = async () => present(ctx, things, await standard.get(ctx, things, made.id)).members
  assert.deepEqual(await members(), ['http://corvus.test/api/v2/users/1?role=member'])
  await standard.link(ctx, things, made.id, 'members', [{ id: 1, attribute: 'admin' }])
  assert.deepEqual(await members(), ['http://corvus.test/api/v2/users/1?role=admin'])
  await standard.unlink(ctx, things, made.id, 'members', 1)
  assert.deepEqual(await members(), [])
})

test('PATCH merges documents by key, and refuses an invalid result', async () => {
  const made = await put({ name: 'document', document: { title: 'old', deep: { a: 1, b: [1, 2] } } })
  const patched = await standard.update(ctx, things, made.id, { document: { deep: { b: [3], c: null, a: null } } })
  assert.deepEqual(patched.document, { title: 'old', deep: { b: [3] } })
  await assert.rejects(standard.update(ctx, things, made.id, { document: { title: null } }), {
    message: 'document.title: is required',
  })
  await assert.rejects(standard.update(ctx, things, made.id, { document: { size: 'x' } }), { status: 400 })
})

test('filters compare by the type of the field, look into lists and documents, and find absent values', async () => {
  await put({
    name: 'f1',
    count: 1,
    tags: ['red', 'green'],
    document: { title: 'One', words: ['a', 'b'] },
    share: 0.25,
  })
  await put({ name: 'f2', count: 2, tags: ['green'], document: { title: 'Two' }, seen_at: '2024-06-01' })
  const among = { 'filter[name]': ['f1', 'f2'] }
  assert.deepEqual(await find({ ...among, 'filter[count]': ['2'] }), ['f2'])
  assert.deepEqual(await find({ ...among, 'filter[>=count]': ['1'], 'filter[<count]': ['2'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[tags]': ['red'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[!tags]': ['red'] }), ['f2'])
  assert.deepEqual(await find({ ...among, 'filter[document.title]': ['Two'] }), ['f2'])
  assert.deepEqual(await find({ ...among, 'filter[document.words]': ['b'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[seen_at]': ['null'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[>seen_at]': ['2024-05-31T23:59:59Z'] }), ['f2'])
  assert.deepEqual(await find({ ...among, 'filter[share]': ['0.25'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[!share]': ['0.25'] }), ['f2'], 'no value is another value')
  assert.deepEqual(await find({ ...among, 'filter[!share]': ['0.5'] }), ['f1', 'f2'])
  assert.deepEqual(await find({ ...among, 'filter[!share]': ['null', '0.5'] }), ['f1'])
  assert.deepEqual(await find({ ...among, 'filter[!document.words]': ['a'] }), ['f2'])
  assert.deepEqual(await find({ ...among, 'filter[double]': ['4'] }), ['f2'])
  assert.deepEqual(await find({ ...among, sort: ['-count'] }), ['f2', 'f1'])
})

test('merging and pruning are safe against keys that name prototypes', () => {
  const hostile = JSON.parse('{"__proto__": {"polluted": 1}, "a": {"constructor": 1}}')
  merge({}, hostile)
  assert.equal(({} as Item).polluted, undefined)
  assert.deepEqual(project({ a: { b: 1, c: 2 }, d: [{ e: 1, f: 2 }] }, ['a.b', 'd.e', '__proto__.x', 'no.such']), {
    a: { b: 1 },
    d: [{ e: 1 }],
  })
})

test('a field that would leave a new row without a value is refused when it is defined', () => {
  const fields = { name: name(), count: int() }
  assert.throws(
    () => defineResource({ collection: 'sources', title: 'T', doc: '', key: ['name'], fields }),
    /count must be required/,
  )
})

test('a value is restricted only where the restriction has an effect', () => {
  const everyone = () => sql<boolean>`true`
  assert.ok(text(0, 10).nullable().shownTo(everyone, 'null'))
  assert.throws(() => ref('sources').shownTo(everyone, 'null'), /Only a column/)
})
