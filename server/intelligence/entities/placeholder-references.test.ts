import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ask, bundle, corvus, endOf, makePushFeed, pushed } from '../../../test/set-up/incoming-feeds.ts'

/** A campaign with an unknown author. */
function campaign(name: string) {
  const time = '2024-01-01T00:00:00.000Z'
  const author = `identity--${randomUUID()}`
  const id = `campaign--${randomUUID()}`
  const object = {
    type: 'campaign',
    spec_version: '2.1',
    id,
    created: time,
    modified: time,
    name,
    created_by_ref: author,
  }
  return { id, author, object }
}

async function placeholders(): Promise<string[]> {
  const { rows } = await sql<{ stix_id: string }>`
    select stix_id from entities where is_unresolved order by stix_id`.execute(corvus.db)
  return rows.map(({ stix_id }) => stix_id)
}

test('deleting by query removes placeholders that only the deleted entities refer to', async () => {
  const [gone, kept] = [campaign('Plover to delete'), campaign('Dunlin to keep')]
  const shared = campaign('Plover that shares its author')
  await pushed(
    await makePushFeed(),
    bundle(gone.object, kept.object, { ...shared.object, created_by_ref: kept.author }),
  )
  assert.deepEqual(await placeholders(), [gone.author, kept.author].toSorted())
  const { task_run } = await ask('POST', 'entities/by-query/delete', { entities_query: 'data.title:plover' })
  assert.equal((await endOf(task_run)).state, 'SUCCESS')
  assert.deepEqual(await placeholders(), [kept.author])
  const rest = await ask('POST', 'entities/by-query/delete', { entities_query: 'data.title:dunlin' })
  await endOf(rest.task_run)
  assert.deepEqual(await placeholders(), [])
})

test('purging a feed takes the placeholders away that only its entities and relationships refer to', async () => {
  const { id, author, object } = campaign('Brought by a feed')
  const target = `malware--${randomUUID()}`
  const relationship = {
    ...object,
    type: 'relationship',
    id: `relationship--${randomUUID()}`,
    relationship_type: 'uses',
    source_ref: id,
    target_ref: target,
  }
  const feed = await makePushFeed()
  await pushed(feed, bundle(object, relationship))
  assert.deepEqual(await placeholders(), [author, target].toSorted())
  await endOf((await ask('POST', `incoming-feeds/${feed.id}/purge`)).task_run)
  assert.deepEqual(await placeholders(), [])
})
