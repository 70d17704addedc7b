import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../test/app.ts'
import { ok } from '../../test/set-up/collection.ts'
import { startCounting } from '../../test/set-up/counting.ts'

type App = Awaited<ReturnType<typeof startApp>>
type Item = Record<string, unknown>

let from: App
let to: App
before(async () => {
  from = await startApp()
  to = await startApp()
  // Shifts the ids of the target installation.
  await ok(to, 'POST', 'custom-attributes', { name: 'other', data_type: 'text' })
})
after(async () => {
  await from.stop()
  await to.stop()
})

const SECRET = 'a-very-secret-password-4711'
const LICENSE = 'a-license-4711'

const exported = async (app: App, query = ''): Promise<{ objects: Record<string, Item[]>; settings: Item } & Item> =>
  ok(app, 'GET', `configurations/export${query}`)

/** The parts of an export that do not depend on the installation. */
const content = ({ objects, settings }: { objects: unknown; settings: unknown }) => ({ objects, settings })

const actions = (changes: { action: string }[]) => new Set(changes.map(({ action }) => action))

/** Creates one of each object that refers to another. */
async function configure(app: App): Promise<void> {
  const { data: permissions } = await ok(app, 'GET', 'permissions?limit=3')
  await ok(app, 'POST', 'roles', { name: 'Night shift', permissions: permissions.map((each: Item) => each.id) })
  await ok(app, 'POST', 'taxonomies', { path: ['Sector', 'Finance', 'Banks'], description: 'where the money is' })
  const { data: attribute } = await ok(app, 'POST', 'custom-attributes', {
    name: 'branch',
    data_type: 'string',
    allowed_values: ['north', 'south'],
  })
  await ok(app, 'POST', 'entity-definitions', {
    name: 'Fraud case',
    type: 'fraud-case',
    attributes: [{ custom_attribute_id: attribute.id, default_value: 'north' }],
  })
  await ok(app, 'POST', 'csv-mappings', { name: 'Plain', mappings: [{ column_name: 'a', vendor_fields: ['x'] }] })
  const { data: workspace } = await ok(app, 'POST', 'workspaces', { name: 'Case 7', type: 'case', is_public: true })
  const dataset = { name: 'Bad hosts', search_query: 'type:indicator', workspaces: [workspace.id, 1] }
  const { data: made } = await ok(app, 'POST', 'datasets', dataset)
  const rule = { name: 'Hosts of note', is_active: true, keywords: ['c2'], workspaces: [workspace.id] }
  await ok(app, 'POST', 'discovery-rules', rule)
  const { data: widget } = await ok(app, 'POST', 'widgets', {
    name: 'By type',
    type: 'bar',
    aggregation: { group_by: 'type' },
  })
  await ok(app, 'POST', 'dashboards', { name: 'Overview', widgets: [widget.id], ui_metadata: { columns: 2 } })
  await ok(app, 'POST', 'knowledge-packs', { name: 'Pack', datasets: [made.id], workspaces: [workspace.id] })
  await ok(app, 'PATCH', 'configurations/stix', { alias: 'corvus', producer: 'Example' })
  await ok(app, 'PUT', 'configurations/license', { license_key: LICENSE })
  const mail = { from_email: 'corvus@example.org', reply_to: 'corvus@example.org', username: 'me', password: SECRET }
  await ok(app, 'PUT', 'configurations/email', mail)
}

test('a whole configuration can be installed on an empty installation, and installing it again changes nothing', async () => {
  await configure(from)
  const file = await exported(from)
  assert.equal(file.left_out, undefined)
  for (const kept of [SECRET, LICENSE, 'PASS_THROUGH']) assert.equal(JSON.stringify(file).includes(kept), false, kept)
  assert.equal((file.settings.email as Item).username, 'me')

  const preview = (await ok(to, 'POST', 'configurations/install?preview=true', file)).data
  assert.ok(actions(preview.changes).has('create'))
  assert.equal((await ok(to, 'GET', 'roles?filter[name]=Night shift')).total_count, 0, 'a preview creates nothing')

  const first = (await ok(to, 'POST', 'configurations/install', file)).data
  assert.deepEqual(
    first.changes.map((change: Item) => [change.collection, change.name, change.action]),
    preview.changes.map((change: Item) => [change.collection, change.name, change.action]),
    'a preview reports the changes',
  )
  assert.deepEqual(first.settings.toSorted(), preview.settings.toSorted())
  const others = await exported(to)
  others.objects.custom_attributes = others.objects.custom_attributes?.filter(({ name }) => name !== 'other') ?? []
  assert.deepEqual(content(others), content(file))

  const last = async () => (await to.pool.query('select max(id) from changes')).rows[0].max
  const written = await last()
  const second = (await ok(to, 'POST', 'configurations/install', file)).data
  assert.deepEqual([...actions(second.changes), ...actions(second.settings)], ['unchanged', 'unchanged'])
  assert.equal(await last(), written, 'nothing was written')
})

test('references are restored although ids differ', async () => {
  const { data } = await ok(to, 'GET', 'datasets?filter[name]=Bad hosts')
  const { data: places } = await ok(to, 'GET', 'workspaces?filter[name]=Case 7')
  assert.equal(data[0].workspaces.length, 2)
  assert.ok(data[0].workspaces.some((url: string) => url.endsWith(`/workspaces/${places[0].id}`)))
  assert.equal(places[0].discovery_tasks.length, 1)
  const { data: nodes } = await ok(to, 'GET', 'taxonomies?filter[path]=Sector/Finance/Banks')
  assert.equal(nodes[0].description, 'where the money is')
  const { data: types } = await ok(to, 'GET', 'entity-definitions?filter[type]=fraud-case')
  assert.equal(types[0].attributes[0].attribute.name, 'branch')
  const { data: boards } = await ok(to, 'GET', 'dashboards?filter[name]=Overview')
  assert.deepEqual([boards[0].widgets.length, boards[0].ui_metadata], [1, { columns: 2 }])
})

test('differing fields are updated, and fields missing from the file are kept', async () => {
  await ok(from, 'PUT', 'dashboards', [{ name: 'Overview', description: 'new words' }])
  await ok(to, 'POST', 'roles', { name: 'Only there' })
  const { data } = await ok(to, 'POST', 'configurations/install', await exported(from))
  const changed = data.changes.filter(({ action }: Item) => action !== 'unchanged')
  assert.deepEqual(
    changed.map(({ collection, name, action, fields }: Item) => [collection, name, action, fields]),
    [['dashboards', 'Overview', 'update', ['description']]],
  )
  assert.equal((await ok(to, 'GET', 'roles?filter[name]=Only there')).total_count, 1)
  const part = { format: 'corvus-configuration', version: 1, objects: { dashboards: [{ name: 'Overview' }] } }
  await ok(to, 'POST', 'configurations/install', part)
  assert.equal((await ok(to, 'GET', 'dashboards?filter[name]=Overview')).data[0].description, 'new words')
})

test('selected collections can be exported together with what they refer to', async () => {
  const file = await exported(from, '?collections=datasets')
  assert.deepEqual(Object.keys(file.objects), ['workspaces', 'datasets'])
  assert.deepEqual(file.settings, {})
  const both = await exported(from, '?collections=roles,settings')
  assert.deepEqual(Object.keys(both.objects), ['roles'])
  assert.ok('stix' in both.settings)
  const { status, body } = await from.call('GET', 'configurations/export?collections=users')
  assert.equal(status, 400)
  assert.match(body[0].detail, /'users' cannot be exported/)
})

const file = (objects: unknown, rest: Item = {}) => ({ format: 'corvus-configuration', version: 1, objects, ...rest })

for (const [what, body, detail] of [
  ['another format', { format: 'zip', version: 1 }, /format: must be/],
  ['another version', { format: 'corvus-configuration', version: 2 }, /version: must be/],
  ['an unknown collection', file({ users: [] }), /users/],
  [
    'a field of a wrong type',
    file({ roles: [{ name: 'a' }, { name: 7 }] }),
    /objects\.roles\[1\]\.name: must be of type/,
  ],
  ['a missing name', file({ roles: [{}] }), /objects\.roles\[0\]\.name: is required/],
  [
    'an unknown name',
    file({ roles: [{ name: 'a', permissions: ['read minds'] }] }),
    /objects\.roles\[0\]\.permissions: there is no "read minds" in permissions/,
  ],
  ['an item that is not an object', file({ roles: ['x'] }), /objects\.roles\[0\]/],
  ['a duplicate name', file({ roles: [{ name: 'twin' }, { name: 'twin' }] }), /the same name/],
  ['an unknown record', file({}, { settings: { nothing: {} } }), /settings\.nothing: unknown record/],
  ['an invalid value in a record', file({}, { settings: { stix: { namespace: 7 } } }), /namespace/],
] as const) {
  test(`${what} is rejected, and nothing is stored`, async () => {
    const before = await exported(to)
    const { status, body: faults } = await to.call('POST', 'configurations/install', body)
    assert.equal(status, 400, JSON.stringify(faults))
    assert.match(faults[0].detail, detail)
    assert.deepEqual(content(await exported(to)), content(before))
  })
}

test('an error in a later collection rolls back the earlier ones', async () => {
  const body = file({ roles: [{ name: 'Half done' }], dashboards: [{ name: 'Lost', widgets: ['no such widget'] }] })
  const { status } = await to.call('POST', 'configurations/install', body)
  assert.equal(status, 400)
  assert.equal((await ok(to, 'GET', 'roles?filter[name]=Half done')).total_count, 0)
})

test('installing a file requires the same permissions as direct writes', async () => {
  const reader = await to.tokenFor(['read configurations', 'modify configurations'])
  const out = await to.call('GET', 'configurations/export', undefined, reader)
  assert.equal(out.status, 200)
  assert.equal(out.body.objects.roles, undefined)
  assert.ok(out.body.left_out.includes('roles') && !out.body.left_out.includes('widgets'))
  const asked = await to.call('GET', 'configurations/export?collections=roles', undefined, reader)
  assert.deepEqual([asked.status, asked.body[0].detail], [403, 'Missing permissions: [read roles]'])
  const partly = await to.call('GET', 'configurations/export?collections=widgets,settings', undefined, reader)
  assert.equal(partly.status, 200)
  const into = await to.call('POST', 'configurations/install', file({ roles: [{ name: 'Mine' }] }), reader)
  assert.deepEqual([into.status, into.body[0].detail], [403, 'Missing permissions: [modify roles]'])
  const maker = await to.tokenFor(['modify configurations', 'modify roles', 'read roles', 'read permissions'])
  const more = file({ roles: [{ name: 'More', permissions: ['modify users'] }] })
  assert.equal((await to.call('POST', 'configurations/install', more, maker)).status, 403)
  const none = await to.tokenFor(['read roles'])
  assert.equal((await to.call('POST', 'configurations/install', file({}), none)).status, 403)
})

test('a preview responds like the install, and an export contains only what the caller may read', async () => {
  const maker = await to.tokenFor(['modify configurations', 'modify roles', 'read roles', 'modify workspaces'])
  const { data: self } = (await to.call('GET', 'users/self', undefined, maker)).body
  for (const objects of [
    { roles: [{ name: 'More', permissions: ['modify users'] }] },
    { roles: [{ name: 'Mine', users: [self.id] }] },
    { workspaces: [{ name: 'Ours', collaborators: [self.id] }] },
    { datasets: [{ name: 'Set', workspaces: ['Ours'] }] },
  ]) {
    const install = await to.call('POST', 'configurations/install', file(objects), maker)
    const preview = await to.call('POST', 'configurations/install?preview=true', file(objects), maker)
    assert.equal(install.status, 403, JSON.stringify(objects))
    assert.deepEqual([preview.status, preview.body], [install.status, install.body])
  }
  const { data: workspace } = await ok(to, 'POST', 'workspaces', { name: 'Unread place', is_public: true })
  await ok(to, 'POST', 'datasets', { name: 'Read set', workspaces: [workspace.id] })
  const reader = await to.tokenFor(['read configurations', 'read intel-sets'])
  const named = await to.call('GET', 'configurations/export?collections=datasets', undefined, reader)
  assert.deepEqual([named.status, named.body[0].detail], [403, 'Missing permissions: [read workspaces]'])
  const whole = await to.call('GET', 'configurations/export', undefined, reader)
  assert.equal(whole.status, 200)
  assert.ok(JSON.stringify(whole.body).includes('Read set'))
  assert.ok(!JSON.stringify(whole.body).includes('Unread place'))
})

test('the number of statements does not depend on the number of objects', async () => {
  const counts: number[] = []
  const counting = await startCounting()
  try {
    for (const size of [2, 40]) {
      const taxonomies = Array.from({ length: size }, (_, i) => ({ path: [`root ${size}`, `leaf ${i}`] }))
      const workspaces = Array.from({ length: size }, (_, i) => ({ name: `place ${size} ${i}` }))
      const datasets = workspaces.map(({ name }) => ({ name: `set of ${name}`, workspaces: [name] }))
      const objects = { taxonomies, workspaces, datasets }
      const made = await counting.statementsOf(() => ok(counting, 'POST', 'configurations/install', file(objects)))
      const read = await counting.statementsOf(() => exported(counting, '?collections=datasets'))
      counts.push(made + read)
    }
    assert.equal(counts[0], counts[1])
  } finally {
    await counting.stop()
  }
})
