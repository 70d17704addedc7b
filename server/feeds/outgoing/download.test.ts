import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  CSV,
  corvus,
  DOWNLOAD,
  download,
  makeFeed,
  ok,
  person,
  writeBlock,
} from '../../../test/set-up/outgoing-feeds.ts'

const group = await ok('POST', 'groups', { name: 'Integrations' })
/** The permissions that the guides of existing integrations recommend for their user. */
const CLIENT = ['read permissions', 'read entities', 'modify entities', 'read extracts', 'read outgoing-feeds']
const client = await person(['Integrations'], CLIENT)
const PRIVATE = '/private/outgoing-feed-download'

const blocksAt = async (path: string): Promise<string[]> => {
  const { status, body } = await corvus.call('GET', path, null, client, { accept: 'application/json' })
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(Object.keys(body.data), ['content_blocks'])
  return body.data.content_blocks
}

test('/private/outgoing-feeds answers as outgoing-feeds, with and without a slash', async () => {
  const feed = await makeFeed({ update_strategy: 'DIFF' })
  await corvus.pool.query(`update outgoing_feeds set packaging_status = 'SUCCESS' where id = $1`, [feed.id])
  const expected = await corvus.call('GET', `outgoing-feeds/${feed.id}`)
  for (const slash of ['', '/']) {
    const { status, body } = await corvus.call('GET', `/private/outgoing-feeds/${feed.id}${slash}`, null, client)
    assert.equal(status, 200)
    assert.deepEqual(body, expected.body)
    const list = await corvus.call('GET', `/private/outgoing-feeds${slash}`, null, client)
    assert.deepEqual(list.body, (await corvus.call('GET', 'outgoing-feeds')).body)
  }
  // The fields of a feed that these clients read and compare.
  const { id, created_at, update_strategy, packaging_status, name } = expected.body.data
  assert.equal(typeof id, 'number')
  assert.ok(created_at && name)
  assert.deepEqual([update_strategy, packaging_status], ['DIFF', 'SUCCESS'])
  const self = await ok('GET', 'users/self', undefined, client)
  const names = await ok('GET', 'permissions', undefined, client)
  const held = names.filter((each: { id: number }) =>
    self.permissions.some((url: string) => url.endsWith(`/${each.id}`)),
  )
  assert.deepEqual(held.map((each: { name: string }) => each.name).sort(), CLIENT.toSorted())
})

test('blocks are listed by their paths, oldest first, and each path returns its bytes', async () => {
  const feed = await makeFeed({ authorised_groups: [group.id], update_strategy: 'DIFF' })
  const runs = [randomUUID(), randomUUID(), randomUUID()]
  const contents = ['diff,value\r\nadd,a\r\n', 'diff,value\r\ndel,a\r\n', 'diff,value\r\nadd,ü\r\n']
  const ids: number[] = []
  for (const [i, run] of runs.entries()) ids.push(await writeBlock(feed.id, contents[i] ?? '', { run }))
  const path = (i: number) => `${PRIVATE}/${feed.id}/runs/${runs[i]}/content-blocks/${ids[i]}`
  for (const slash of ['', '/']) {
    assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}${slash}`), [path(0), path(1), path(2)])
    assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/latest${slash}`), [path(2)])
    assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/${runs[1]}${slash}`), [path(1)])
    for (const i of [0, 1, 2]) {
      const answer = await download(`${path(i)}${slash}`, client, {
        accept: 'application/json',
        'content-type': 'application/json',
      })
      assert.deepEqual([answer.status, answer.text], [200, contents[i]])
      assert.equal(answer.headers['content-type'], 'text/csv; charset=utf-8; header=present')
    }
  }
  await corvus.call('DELETE', `content-blocks/${ids[2]}`)
  assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/latest`), [path(1)])
  assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/${runs[2]}`), [])
  assert.equal((await download(path(2), client)).status, 410)
})

test('a block is found only below its own feed and run, and only by users who may read it', async () => {
  const feed = await makeFeed({ authorised_groups: [group.id] })
  const other = await makeFeed({ authorised_groups: [group.id] })
  const run = randomUUID()
  const id = await writeBlock(feed.id, 'x', { run })
  const refused = [
    `${PRIVATE}/${other.id}/runs/${run}/content-blocks/${id}`,
    `${PRIVATE}/${feed.id}/runs/${randomUUID()}/content-blocks/${id}`,
    `${PRIVATE}/${feed.id}/runs/latest/content-blocks/${id}`,
    `${PRIVATE}/${feed.id}/runs/${run}/content-blocks/${id + 1000}`,
    `${PRIVATE}/${feed.id}/runs/${run}/content-blocks/x`,
    `${PRIVATE}/${feed.id}/runs/${randomUUID()}`,
    `${PRIVATE}/${feed.id}/runs/x`,
    `${PRIVATE}/999999`,
    `${PRIVATE}/x`,
  ]
  for (const path of refused) assert.equal((await download(path, client)).status, 404, path)
  const path = `${PRIVATE}/${feed.id}/runs/${run}/content-blocks/${id}`
  assert.equal((await download(path, client)).status, 200)
  assert.equal((await download(path, await person(['Integrations'], ['read content-blocks']))).status, 403)
  assert.equal((await download(path, 'wrong')).status, 401)
})

test('a run that wrote nothing has no blocks, and a feed that never ran has none', async () => {
  const feed = await makeFeed({ authorised_groups: [group.id] })
  assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}`), [])
  assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/latest`), [])
  const { task_run } = await ok('POST', `outgoing-feeds/${feed.id}/run`)
  assert.deepEqual(await blocksAt(`${PRIVATE}/${feed.id}/runs/${task_run.split('/').at(-1)}`), [])
})

test('a client that remembers the last block notices that the feed was restarted, and reads it from the start', async () => {
  const feed = await makeFeed({ authorised_groups: [group.id], update_strategy: 'APPEND' })
  const first = await writeBlock(feed.id, 'one')
  const known = await ok('GET', `/private/outgoing-feeds/${feed.id}`, undefined, client)
  const [taken = ''] = await blocksAt(`${PRIVATE}/${feed.id}/`)
  assert.ok(taken.endsWith(`/${first}`))
  await ok('PATCH', `outgoing-feeds/${feed.id}`, { update_strategy: 'DIFF' })
  const now = await ok('GET', `/private/outgoing-feeds/${feed.id}`, undefined, client)
  assert.notEqual(now.created_at, known.created_at)
  assert.equal(now.packaging_status, null)
  const second = await writeBlock(feed.id, 'all of it')
  const blocks = await blocksAt(`${PRIVATE}/${feed.id}/`)
  assert.ok(!blocks.includes(taken))
  assert.deepEqual(
    blocks.map((path) => path.split('/').at(-1)),
    [String(second)],
  )
  assert.equal((await download(taken, client)).status, 410)
})

test('each content type is served with its media type', async () => {
  const types = new Map([
    [CSV, 'text/csv; charset=utf-8; header=present'],
    ['urn:oasis:stix:json:2.1', 'application/stix+json;version=2.1'],
    ['urn:stix.mitre.org:xml:1.2', 'application/xml'],
    ['urn:eclecticiq.com:json:3.2', 'application/json'],
    ['urn:eclecticiq.com:attachments-zip:1.0', 'application/zip'],
  ])
  for (const [content_type, mediaType] of types) {
    const feed = await makeFeed({ content_type, transport_type: DOWNLOAD, authorised_groups: [group.id] })
    await writeBlock(feed.id, '{}')
    const [path = ''] = await blocksAt(`${PRIVATE}/${feed.id}/runs/latest`)
    assert.equal((await download(path, client)).headers['content-type'], mediaType)
  }
})
