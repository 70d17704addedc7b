import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { ok } from '../../../test/set-up/collection.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Item = Record<string, unknown>

let from: App
let to: App
before(async () => {
  from = await startApp()
  to = await startApp()
})
after(async () => {
  await from.stop()
  await to.stop()
})

const told = (changes: Item[]) => changes.map(({ collection, name, action }) => [collection, name, action])

/** A pack with a dataset in a workspace, with unique names. */
async function makePack(label: string, datasets: number[] = []): Promise<{ id: number; file: Item }> {
  const { data: workspace } = await ok(from, 'POST', 'workspaces', { name: `Place ${label}`, is_public: true })
  const dataset = { name: `Set ${label}`, search_query: 'type:malware', workspaces: [workspace.id] }
  const { data: made } = await ok(from, 'POST', 'datasets', dataset)
  const pack = { name: `Pack ${label}`, version: '2.1', description: 'words', datasets: [made.id, ...datasets] }
  const { data } = await ok(from, 'POST', 'knowledge-packs', pack)
  return { id: data.id, file: await ok(from, 'GET', `knowledge-packs/${data.id}/export`) }
}

const isThere = async (collection: string, name: string): Promise<boolean> =>
  (await ok(to, 'GET', `${collection}?filter[name]=${name}`)).total_count === 1

test('a pack is exported with everything it refers to as one file', async () => {
  const { id, file } = await makePack('Ä/1 "x"')
  const { headers } = await from.call('GET', `knowledge-packs/${id}/export`)
  assert.equal(headers['content-disposition'], 'attachment; filename="Pack-A-1-x.json"')
  assert.deepEqual(Object.keys(file.objects as Item), ['workspaces', 'datasets', 'knowledge_packs'])
  assert.equal(file.knowledge_pack, 'Pack Ä/1 "x"')
  assert.equal(JSON.stringify(file).includes('http://'), false, 'names, no addresses')
})

test('a pack is previewed, installed, installed again and uninstalled', async () => {
  const { file } = await makePack('one')
  const changes = [
    ['workspaces', 'Place one', 'create'],
    ['datasets', 'Set one', 'create'],
    ['knowledge-packs', 'Pack one', 'create'],
  ]
  const preview = (await ok(to, 'POST', 'knowledge-packs/install?preview=true', file)).data
  assert.deepEqual([preview.knowledge_pack, told(preview.changes)], [null, changes])
  assert.equal(await isThere('workspaces', 'Place one'), false)

  const installed = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  assert.deepEqual(told(installed.changes), changes)
  const id = Number(installed.knowledge_pack.split('/').at(-1))
  const { data } = await ok(to, 'GET', `knowledge-packs/${id}`)
  assert.deepEqual([data.is_installed, data.version, data.datasets.length], [true, '2.1', 1])
  assert.deepEqual((await ok(to, 'GET', `knowledge-packs/${id}/export`)).objects, file.objects)

  const again = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  assert.deepEqual(new Set(again.changes.map(({ action }: Item) => action)), new Set(['unchanged']))
  assert.equal(again.knowledge_pack, installed.knowledge_pack)

  const gone = changes.toReversed().map(([collection, name]) => [collection, name, 'delete'])
  const would = (await ok(to, 'POST', `knowledge-packs/${id}/uninstall?preview=true`)).data
  assert.deepEqual(told(would.changes), gone)
  assert.equal(await isThere('datasets', 'Set one'), true)
  assert.deepEqual(told((await ok(to, 'POST', `knowledge-packs/${id}/uninstall`)).data.changes), gone)
  for (const [collection, name] of changes) assert.equal(await isThere(String(collection), String(name)), false)
  assert.equal((await to.call('POST', `knowledge-packs/${id}/uninstall`)).status, 404)
})

test('objects that existed before or that another pack needs stay', async () => {
  const { file } = await makePack('two')
  const { data: sets } = await ok(from, 'GET', 'datasets?filter[name]=Set two')
  const other = await makePack('three', [sets[0].id])
  await ok(to, 'POST', 'workspaces', { name: 'Place two', is_public: true })
  const first = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  const second = (await ok(to, 'POST', 'knowledge-packs/install', other.file)).data
  assert.deepEqual(told((await ok(to, 'POST', `${path(first)}/uninstall`)).data.changes), [
    ['knowledge-packs', 'Pack two', 'delete'],
  ])
  assert.equal(await isThere('datasets', 'Set two'), true)
  const rest = told((await ok(to, 'POST', `${path(second)}/uninstall`)).data.changes)
  assert.equal(rest.length, 4)
  assert.equal(await isThere('datasets', 'Set two'), false)
  assert.equal(await isThere('workspaces', 'Place two'), true)
})

const path = ({ knowledge_pack }: { knowledge_pack: string }) =>
  knowledge_pack.slice(knowledge_pack.indexOf('/api/v2/'))

test('uninstalling skips objects deleted meanwhile, and keeps a pack that was created here', async () => {
  const { id, file } = await makePack('four')
  const away = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  const { data: sets } = await ok(to, 'GET', 'datasets?filter[name]=Set four')
  await ok(to, 'DELETE', `datasets/${sets[0].id}`)
  assert.equal((await ok(to, 'POST', `${path(away)}/uninstall`)).data.changes.length, 2)

  assert.equal((await from.call('POST', `knowledge-packs/${id}/uninstall`)).status, 409)
  await ok(from, 'POST', 'knowledge-packs/install', file)
  assert.deepEqual((await ok(from, 'POST', `knowledge-packs/${id}/uninstall`)).data.changes, [])
  assert.equal((await ok(from, 'GET', `knowledge-packs/${id}`)).data.is_installed, false)
})

test('files without exactly one pack are refused', async () => {
  const { file } = await makePack('five')
  const objects = file.objects as Record<string, Item[]>
  for (const [body, detail] of [
    [{ ...file, knowledge_pack: 'other' }, /knowledge_pack: must be the name/],
    [{ ...file, objects: { ...objects, knowledge_packs: [] } }, /must contain exactly one knowledge pack/],
    [{ ...file, objects: { ...objects, knowledge_packs: [{ name: 'a' }, { name: 'b' }] } }, /must contain exactly one/],
    [{ ...file, settings: {} }, /settings/],
  ] as const) {
    const answer = await to.call('POST', 'knowledge-packs/install', body)
    assert.equal(answer.status, 400)
    assert.match(answer.body[0].detail, detail)
  }
  const answer = await to.call('POST', 'knowledge-packs/install?preview=maybe', file)
  assert.deepEqual([answer.status, answer.body[0].detail], [400, 'preview: must be true or false'])
})

test('installing needs the permission to install and those for the objects in the file', async () => {
  const { file } = await makePack('six')
  const writer = await to.tokenFor(['read knowledge-packs', 'modify knowledge-packs'])
  const refused = await to.call('POST', 'knowledge-packs/install', file, writer)
  assert.deepEqual([refused.status, refused.body[0].detail], [403, 'Missing permissions: [install knowledge-packs]'])
  const installer = await to.tokenFor(['install knowledge-packs', 'modify knowledge-packs'])
  const lacking = await to.call('POST', 'knowledge-packs/install', file, installer)
  assert.equal(lacking.status, 403)
  assert.match(lacking.body[0].detail, /modify workspaces, modify intel-sets/)
  const reader = await to.tokenFor(['read knowledge-packs'])
  const { knowledge_pack } = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  assert.equal((await to.call('DELETE', path({ knowledge_pack }), undefined, reader)).status, 403)
  assert.equal((await to.call('POST', `${path({ knowledge_pack })}/uninstall`, undefined, installer)).status, 403)
  assert.equal(await isThere('datasets', 'Set six'), true)
})

test('a pack shows, exports and installs only what its reader sees', async () => {
  const { data: hidden } = await ok(from, 'POST', 'workspaces', { name: 'Hidden place' })
  const pack = { name: 'Half hidden', workspaces: [hidden.id, 1] }
  const { data } = await ok(from, 'POST', 'knowledge-packs', pack)
  const reader = await from.tokenFor(['read knowledge-packs', 'read workspaces'])
  const { body } = await from.call('GET', `knowledge-packs/${data.id}/export`, undefined, reader)
  assert.equal(JSON.stringify(body).includes('Hidden place'), false)
  assert.equal(body.objects.workspaces.length, 1)
})

test('an export needs the permission to read every collection in the pack', async () => {
  const { id } = await makePack('seven')
  const { data: feed } = await ok(from, 'POST', 'incoming-feeds', {
    name: 'Feed seven',
    content_type: 'urn:oasis:stix:json:2.1',
    transport_type: 'eiq.incoming-transports.http-download',
    transport_configuration: { url: 'https://feed.example.org/seven' },
  })
  await ok(from, 'PUT', `knowledge-packs/${id}/incoming_feeds/${feed.id}`)
  const some = await from.tokenFor(['read knowledge-packs', 'read workspaces'])
  const refused = await from.call('GET', `knowledge-packs/${id}/export`, undefined, some)
  const lacking = 'Missing permissions: [read incoming-feeds, read intel-sets]'
  assert.deepEqual([refused.status, refused.body[0].detail], [403, lacking])
  const all = ['read knowledge-packs', 'read workspaces', 'read intel-sets', 'read incoming-feeds']
  assert.equal(
    (await from.call('GET', `knowledge-packs/${id}/export`, undefined, await from.tokenFor(all))).status,
    200,
  )
})

test('an installation and its preview need the permission of every guarded field', async () => {
  const modify = ['modify knowledge-packs', 'modify workspaces', 'modify roles', 'install knowledge-packs']
  const installer = await to.tokenFor(modify)
  const { data: self } = (await to.call('GET', 'users/self', undefined, installer)).body
  const pack = { knowledge_packs: [{ name: 'Guarded' }] }
  for (const [objects, detail] of [
    [
      { workspaces: [{ name: 'Guarded', collaborators: [self.id] }] },
      /^Missing permissions: \[modify collaborators\]$/,
    ],
    [{ roles: [{ name: 'Guarded', users: [self.id] }] }, /^Missing permissions: \[modify user-roles\]$/],
    [{ roles: [{ name: 'Guarded', permissions: ['modify users'] }] }, /^Missing permissions: \[modify users\]$/],
    [{ knowledge_packs: [{ name: 'Guarded', datasets: ['x'] }] }, /^Missing permissions: \[read intel-sets\]$/],
  ] as const) {
    const file = {
      format: 'corvus-configuration',
      version: 1,
      knowledge_pack: 'Guarded',
      objects: { ...pack, ...objects },
    }
    const install = await to.call('POST', 'knowledge-packs/install', file, installer)
    assert.equal(install.status, 403, JSON.stringify(install.body))
    assert.match(install.body[0].detail, detail)
    const preview = await to.call('POST', 'knowledge-packs/install?preview=true', file, installer)
    assert.deepEqual([preview.status, preview.body], [install.status, install.body])
  }
})

test('uninstalling and its preview need the permissions to read and modify what is deleted', async () => {
  const { file } = await makePack('eight')
  const { knowledge_pack } = (await ok(to, 'POST', 'knowledge-packs/install', file)).data
  const writes = ['install knowledge-packs', 'modify knowledge-packs', 'modify workspaces', 'modify intel-sets']
  const blind = await to.tokenFor(writes)
  for (const query of ['', '?preview=true']) {
    const { status, body } = await to.call('POST', `${path({ knowledge_pack })}/uninstall${query}`, undefined, blind)
    assert.equal(status, 403)
    assert.match(body[0].detail, /read workspaces, read intel-sets/)
  }
})

test('the defaults appear in the response, and the limits are as documented', async () => {
  const { data } = await ok(from, 'POST', 'knowledge-packs', { name: 'Plain' })
  const { version, description, datasets, workspaces, is_installed } = data
  assert.deepEqual(
    { version, description, datasets, workspaces, is_installed },
    {
      version: '1.0',
      description: '',
      datasets: [],
      workspaces: [],
      is_installed: false,
    },
  )
  for (const [item, isRight] of [
    [{ name: 'n'.repeat(500) }, true],
    [{ name: 'n'.repeat(501) }, false],
    [{ name: '' }, false],
    [{ name: 'short', version: 'v' }, true],
    [{ name: 'long', version: 'v'.repeat(100) }, true],
    [{ name: 'longer', version: 'v'.repeat(101) }, false],
    [{ name: 'none', version: '' }, false],
  ] as const) {
    const { status } = await from.call('POST', 'knowledge-packs', item)
    assert.equal(status, isRight ? 201 : 400, JSON.stringify(item).slice(0, 60))
  }
})
