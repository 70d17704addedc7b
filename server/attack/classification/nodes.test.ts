import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { serverOf } from '../../../test/followers.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { readFacts } from '../frameworks/ship-facts.ts'
import { storeFramework } from '../frameworks/store-framework.ts'
import { readNodes } from './nodes.ts'

const statements: string[] = []
const corvus = await startApp((statement) => {
  if (isCounted(statement)) statements.push(statement)
})
after(() => corvus.stop())
const server = await serverOf(corvus)

test('the nodes are found by id, by the external id of all their places, and by their STIX id', async () => {
  const nodes = await readNodes(server)
  assert.equal(nodes.get('TA0001:T1566.001')?.name, 'Spearphishing Attachment')
  assert.equal(nodes.get('TA0001:T9999'), undefined)
  const places = nodes.placesOf('T1078').filter(({ state }) => state === 'live')
  assert.deepEqual(
    places.map(({ id }) => id),
    ['TA0001:T1078', 'TA0003:T1078', 'TA0004:T1078', 'TA0005:T1078'],
  )
  const [first] = places
  assert.deepEqual(first && nodes.withStixId(first.stix_id), nodes.placesOf('T1078'))
  assert.deepEqual(first && nodes.tacticOf(first)?.short_names, ['initial-access'])
  assert.deepEqual(nodes.get('TA0002:T1086')?.successors, ['TA0002:T1059.001'])
  assert.deepEqual(nodes.placesOf('TA0001'), [])
})

test('they are read once, and again after a framework was stored, also within its transaction', async () => {
  const before = await readNodes(server)
  statements.length = 0
  assert.equal(await readNodes(server), before)
  assert.equal(statements.length, 1)
  const ics = (await readFacts()).find(({ matrix }) => matrix === 'ics-attack')
  assert.ok(ics)
  const renamed = { ...ics, nodes: ics.nodes.map((node) => ({ ...node, name: `New ${node.name}` })) }
  const nameIn = async (source: typeof server) => (await readNodes(source)).get('TA0108')?.name
  const store = (isUndone: boolean) =>
    server.db.transaction().execute(async (db) => {
      await storeFramework(db as never, renamed, { version: '99', hash: null, user: null })
      assert.equal(await nameIn({ ...server, db }), 'New Initial Access')
      if (isUndone) throw new Error('undone')
    })
  await assert.rejects(store(true), /undone/)
  assert.equal(await nameIn(server), 'Initial Access')
  await store(false)
  assert.equal(await nameIn(server), 'New Initial Access')
})

test('a read that failed is tried again', async () => {
  const fresh = { ...server, vault: { ...server.vault } }
  const failed = server.db.transaction().execute(async (db) => {
    await sql`alter table attack_nodes rename to hidden_nodes`.execute(db)
    await readNodes({ ...fresh, db })
  })
  await assert.rejects(failed, /attack_nodes/)
  assert.ok((await readNodes(fresh)).all.length > 1500)
})
