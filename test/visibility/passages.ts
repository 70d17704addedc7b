import assert from 'node:assert/strict'
import { type Kysely, sql } from 'kysely'
import { bytesOf, codeOf } from '../../server/ai/retrieval/codes.ts'
import { searchPassages } from '../../server/ai/retrieval/find-passages.ts'
import { READ_TYPES } from '../../server/ai/retrieval/pieces.ts'
import { refreshPassages } from '../../server/ai/retrieval/refresh-passages.ts'
import { findToken } from '../../server/identity/access/callers.ts'
import type { startApp } from '../app.ts'
import { serverOf } from '../followers.ts'
import { countedWords } from '../set-up/scripted-provider.ts'
import type { Chance } from './chance.ts'
import { type Eyes, type Scene, whereOf } from './compare.ts'
import { text } from './instance.ts'
import { versionOf } from './model.ts'
import type { Entity } from './world.ts'

type Corvus = Pick<Awaited<ReturnType<typeof startApp>>, 'db' | 'config'>

/** Makes the passages of all entities as the follower does, with vectors as of a model that counts words. */
export async function makePassages(db: Kysely<unknown>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const { rows: entities } = await sql<{ id: string }>`select id from entities`.execute(trx)
    await refreshPassages(
      trx,
      entities.map(({ id }) => id),
    )
    const { rows } = await sql<{ id: number; text: string }>`
      select id, heading || ' ' || text as text from passages`.execute(trx)
    const vectors = rows.map((row) => countedWords(row.text))
    await sql`delete from passage_spaces`.execute(trx)
    await sql`
      with s as (
        insert into passage_spaces (url, model, width, is_current, ceiling) values ('', '', 64, true, 4) returning id
      ), i as (
        select p.id, p.vis, p.hash, i.code, i.vector
        from unnest(${rows.map(({ id }) => id)}::bigint[], ${vectors.map(codeOf)}::text[], ${vectors.map(bytesOf)}::bytea[]) as i(id, code, vector)
        join passages as p on p.id = i.id
      ), coded as (
        insert into passage_codes (space, passage, vis, code) select s.id, i.id, i.vis, i.code::bit varying from i, s
      )
      insert into passage_vectors (space, passage, hash, vector) select s.id, i.id, i.hash, i.vector from i, s`.execute(
      trx,
    )
  })
}

const isRead = ({ type }: Entity): boolean => READ_TYPES.some((each) => each === type)

/** By the words of some entities, exactly those of them that the viewer sees are found, and by meaning all that they see. */
export async function checkPassages(scene: Scene, corvus: Corvus, chance: Chance, eyes: Eyes): Promise<void> {
  const { viewer, instance, seen } = eyes
  const caller = (await findToken(corvus.db, instance.tokens[viewer]))?.caller
  assert.ok(caller)
  const ctx = { ...(await serverOf(corvus as Awaited<ReturnType<typeof startApp>>)), caller, baseUrl: '' }
  const { rows } = await sql<{ id: number }>`select id from passage_spaces`.execute(corvus.db)
  const read = instance.world.entities.filter(isRead)
  const asked = chance.some(read, 0.5).slice(0, 20)
  const query = asked.map((entity) => text(instance, versionOf(entity, entity.states.length - 1))).join(' ')
  const vector = countedWords(query)
  for (const [how, of, meaning] of [
    ['words', asked, undefined],
    // Placeholders are of a type that is read.
    ['meaning', [...read, ...instance.world.stubs], { space: { id: rows[0]?.id ?? 0 }, vector }],
  ] as const) {
    const found = await searchPassages(ctx, { query, meaning, limit: 200, ceiling: 'RED' })
    const got = found.map(({ entity }) => instance.names.get(entity.id) ?? 'of another world').toSorted()
    const expected = of.flatMap(({ name }) => (seen.names.has(name) ? [name] : [])).toSorted()
    if (String(got) !== String(expected))
      scene.fail(`passages by ${how}`, `${whereOf(eyes, query)}\nexpected ${expected}\ngot      ${got}`)
  }
}
