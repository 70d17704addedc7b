import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { attackLexeme } from '../../search/lexemes.ts'

const corvus = await startApp()
after(() => corvus.stop())

const NODE = 'TA0001:T1566.001'
const ids: Record<string, string> = {}

before(async () => {
  const make = (title: string, attacks: string[], days: number) => {
    const start = new Date(Date.UTC(2026, 0, days)).toISOString()
    return { data: { type: 'malware', title }, meta: { attacks, estimated_threat_start_time: start } }
  }
  const { status, body } = await corvus.call('PUT', 'entities', [
    make('actor', [], 1),
    make('loader', [NODE], 2),
    make('mailer', [NODE, 'TA0001:T1566'], 3),
    make('script', ['TA0001:T1566.002'], 4),
  ])
  assert.equal(status, 201, JSON.stringify(body))
  for (const { id, data } of body.data) ids[data.title] = id
  for (const node of ['TA0002:T1086', 'Old Name/1'])
    await sql`
      update entities
      set attacks = attacks || ${node}::text, search = search || array_to_tsvector(array[${attackLexeme(node)}::text])
      where id = ${ids.script}`.execute(corvus.db)
  const uses = { data: { source: ids.actor, target: ids.mailer, key: 'uses' }, sources: body.data[0].sources }
  assert.equal((await corvus.call('POST', 'relationships', { data: uses })).status, 201)
})

async function behind(node: string, query = ''): Promise<string[]> {
  const { status, body } = await corvus.call('GET', `attacks/${encodeURIComponent(node)}/entities?${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.total_count, body.data.length)
  return body.data.map(({ data }: { data: { title: string } }) => data.title)
}

test('the entities behind a node are a list of entities', async () => {
  assert.deepEqual(await behind(NODE), ['loader', 'mailer'])
  assert.deepEqual(await behind(NODE, 'sort=-data.title'), ['mailer', 'loader'])
  assert.deepEqual(await behind(NODE, 'query=data.title:loader'), ['loader'])
  assert.deepEqual(await behind(NODE, `entities=${ids.mailer},${ids.script}`), ['mailer'])
  const list = (await corvus.call('GET', `entities?filter[id]=${ids.loader}&attributes=id,data,meta.attacks`)).body
  const own = await corvus.call(
    'GET',
    `attacks/${NODE}/entities?query=data.title:loader&attributes=id,data,meta.attacks`,
  )
  assert.deepEqual(own.body, list)
})

test('it is read page by page', async () => {
  const page = async (more: string) => (await corvus.call('GET', `attacks/${NODE}/entities?limit=1${more}`)).body
  const first = await page('')
  assert.deepEqual([first.count, first.total_count, first.data[0].id], [1, 2, ids.loader])
  const second = await page(`&page[cursor]=${first.cursor}`)
  assert.deepEqual([second.data[0].id, second.cursor], [ids.mailer, null])
  assert.deepEqual(await page('&data=false'), { total_count: 2 })
})

test('what is related to the chosen entities is behind a node, if the heat says so', async () => {
  assert.deepEqual(await behind(NODE, `entities=${ids.actor}`), [])
  assert.deepEqual(await behind(NODE, `relations=true&entities=${ids.actor}`), ['mailer'])
  assert.deepEqual(await behind(NODE, 'relations=true&query=data.title:actor&sort=_score'), ['mailer'])
  assert.deepEqual(await behind(NODE, 'relations=true'), ['loader', 'mailer'])
})

test('entities of sub-techniques are behind the score of their technique', async () => {
  assert.deepEqual(await behind('TA0001:T1566'), ['mailer'])
  assert.deepEqual(await behind('TA0001:T1566', 'aggregate=sum'), ['loader', 'mailer', 'script'])
})

test('dead nodes and unknown ids have entities, too', async () => {
  assert.deepEqual(await behind('TA0002:T1086'), ['script'])
  assert.deepEqual(await behind('Old Name/1'), ['script'])
  // The search index ignores case, a heat does not.
  assert.deepEqual(await behind('OLD NAME/1'), [])
  for (const wrong of ['%00', 'x'.repeat(501)])
    assert.equal((await corvus.call('GET', `attacks/${wrong}/entities`)).status, 404)
})

test('a heat and its evidence can be narrowed to threats of some time', async () => {
  const since = 'filter[>=meta.estimated_threat_start_time]=2026-01-03'
  const until = 'filter[<meta.estimated_threat_start_time]=2026-01-04'
  assert.deepEqual(await behind(NODE, since), ['mailer'])
  assert.deepEqual(await behind('TA0001:T1566', `aggregate=sum&${since}`), ['mailer', 'script'])
  assert.deepEqual(await behind('TA0001:T1566', `aggregate=sum&${since}&${until}`), ['mailer'])
  const { data, total_count } = (await corvus.call('GET', `attacks/heat?${since}&${until}`)).body
  assert.deepEqual([data.map(({ id }: { id: string }) => id), total_count], [['TA0001:T1566', NODE], 1])
  const later = (await corvus.call('GET', 'attacks/heat?filter[>created_at]=2999-01-01')).body
  assert.equal(later.total_count, 0)
})

test('wrong parameters of the heat and of the list are named once', async () => {
  const { status, body } = await corvus.call('GET', `attacks/${NODE}/entities?aggregate=x&limit=0&filter[no]=1&sort=y`)
  assert.equal(status, 400)
  assert.deepEqual(body.map(({ detail }: { detail: string }) => /^[\w']+/.exec(detail)?.[0]).sort(), [
    "'no'",
    "'y'",
    'aggregate',
    'limit',
  ])
})

test('the list needs the permissions of a heat', async () => {
  const refusal = async (permissions: string[]) =>
    (await corvus.call('GET', `attacks/${NODE}/entities`, undefined, await corvus.tokenFor(permissions))).body[0].detail
  assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
  assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
})
