import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BASE } from '../../../test/app.ts'
import {
  corvus,
  get,
  lastOf,
  make,
  type Node,
  patch,
  pathsIn,
  post,
  put,
  url,
} from '../../../test/set-up/taxonomies.ts'

test('POST of a path creates missing nodes and returns all of them, root first', async () => {
  const made = await post({ path: ['Sector', 'Finance', 'Banks'], description: 'Those that lend.' })
  assert.equal(made.status, 201)
  const [sector, finance, banks] = made.body.data
  assert.deepEqual(pathsIn(made), ['Sector', 'Sector/Finance', 'Sector/Finance/Banks'])
  assert.deepEqual(
    [sector.name, sector.parent, sector.children, sector.is_system],
    ['Sector', null, [url(finance.id)], false],
  )
  assert.deepEqual([banks.name, banks.parent, banks.children], ['Banks', url(finance.id), []])
  assert.deepEqual([sector.description, banks.description], ['', 'Those that lend.'])
  const self = (await corvus.call('GET', 'users/self')).body.data.id
  assert.equal(sector.created_by, `${BASE}/api/v2/users/${self}`)

  const more = await post({ path: 'Sector/Finance/Insurers' })
  assert.equal(more.status, 201)
  assert.deepEqual(
    more.body.data.slice(0, 2).map(({ id }: Node) => id),
    [sector.id, finance.id],
  )
  assert.equal((await get(sector.id)).last_updated_at, sector.last_updated_at)
  assert.deepEqual((await get(finance.id)).children, [url(banks.id), url(more.body.data[2].id)])
})

test('POST of a name and a parent answers the whole path; the parent comes as id, text, URL or path', async () => {
  const [root, node] = await make('Region', 'Europe')
  const parents = [
    node?.id,
    String(node?.id),
    url(node?.id),
    `/api/v2/taxonomies/${node?.id}`,
    'Region/Europe',
    ['Region', 'Europe'],
  ]
  for (const [i, parent] of parents.entries()) {
    const { status, body } = await post({ name: `State ${i}`, parent })
    assert.equal(status, 201, JSON.stringify(body))
    assert.deepEqual(body.data.map(({ id }: Node) => id).slice(0, 2), [root?.id, node?.id])
    assert.deepEqual(body.data[2].path, ['Region', 'Europe', `State ${i}`])
  }
  const alone = await post({ name: 'Alone' })
  assert.deepEqual(pathsIn(alone), ['Alone'])
  assert.deepEqual(pathsIn(await corvus.call('POST', 'taxonomies', { name: 'Bare', parent: null })), ['Bare'])
})

test('POST of an existing node is a 409 in every form', async () => {
  const [root] = await make('Twice', 'Below')
  for (const data of [
    { path: ['Twice', 'Below'] },
    { path: 'Twice/Below' },
    { path: 'Twice' },
    { name: 'Below', parent: root?.id },
    { name: 'Below', parent: 'Twice' },
    { name: 'Twice' },
  ]) {
    const { status, body } = await post(data)
    assert.equal(status, 409, JSON.stringify(data))
    assert.match(body[0].detail, /^The element already exists: path 'Twice/)
  }
})

test('a name may contain slashes where the path is a list', async () => {
  const slashed = await lastOf('TCP/IP', 'a/b')
  assert.deepEqual(slashed.path, ['TCP/IP', 'a/b'])
  const plain = await lastOf('TCP', 'IP')
  assert.deepEqual(plain.path, ['TCP', 'IP'])
  const { body } = await corvus.call('GET', 'taxonomies?filter[path]=TCP/IP&sort=name')
  assert.deepEqual(
    body.data.map(({ path }: Node) => path),
    [['TCP', 'IP'], ['TCP/IP']],
  )
  const below = (await post({ name: 'below text', parent: 'TCP/IP' })).body.data.at(-1)
  assert.deepEqual(below.path, ['TCP', 'IP', 'below text'])
  const exact = (await post({ name: 'below list', parent: ['TCP/IP'] })).body.data.at(-1)
  assert.deepEqual(exact.path, ['TCP/IP', 'below list'])
})

test('wrong input is a 400 that names the field', async () => {
  const { id } = await lastOf('Right')
  const deep = Array.from({ length: 20 }, (_, i) => `level ${i}`)
  const bottom = await lastOf(...deep)
  for (const [data, detail] of [
    [{}, /^name: is required/],
    [{ name: '' }, /^data\.name: must have at least 1 character/],
    [{ name: 'x'.repeat(501) }, /^data\.name: must have at most 500 characters/],
    [{ name: 7 }, /^data\.name: must be of type string/],
    [{ name: 'a\u0000b' }, /^data\.name: must not contain the NUL/],
    [{ name: 'a\ud800' }, /^data\.name: must not contain half/],
    [{ name: 'x', description: 1 }, /^data\.description:/],
    [{ path: [] }, /^data\.path: must have at least 1 item/],
    [{ path: '' }, /^data\.path\[0\]: must have at least 1 character/],
    [{ path: 'a//b' }, /^data\.path\[1\]: must have at least 1 character/],
    [{ path: ['a', 7] }, /^data\.path\[1\]: must be of type string/],
    [{ path: ['a', 'x'.repeat(501)] }, /^data\.path\[1\]: must have at most 500/],
    [{ path: { a: 1 } }, /^data\.path: must be a list of at most 20 names/],
    [{ path: [...deep, 'x'] }, /^data\.path: must be a list of at most 20 names/],
    [{ path: [...deep, 'x'].join('/') }, /^data\.path: must have at most 20 items/],
    [{ name: 'x', parent: bottom.id }, /^parent: a tree can have at most 20 levels/],
    [{ name: 'x', parent: 2 ** 31 - 1 }, /^parent: there is no '2147483647' in taxonomies/],
    [{ name: 'x', parent: 'no/such/path' }, /^parent: there is no 'no\/such\/path' in taxonomies/],
    [{ name: 'x', parent: `${BASE}/api/v2/users/1` }, /^parent: there is no /],
    [{ name: 'x', parent: true }, /^data\.parent: must be an id, a URL or a path/],
    [{ name: 'x', parent: [] }, /^data\.parent: must have at least 1 item/],
    [{ path: 'Right/a', name: 'b' }, /^name: does not match the last name of path/],
    [{ path: 'Wrong/a', parent: id }, /^parent: does not match path/],
    [{ path: 'Right/a', parent: null }, /^parent: does not match path/],
  ] as const) {
    const { status, body } = await post(data)
    assert.equal(status, 400, `${JSON.stringify(data)} ${JSON.stringify(body)}`)
    assert.match(body[0].detail, detail)
  }
  const { body } = await put([{ name: 'x', parent: 'nowhere' }, { name: 'fine' }, {}])
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [`[0].parent: there is no 'nowhere' in taxonomies.`, '[2].name: is required without path'],
  )
})

test('children in a body are ignored', async () => {
  const other = await lastOf('Not adopted')
  const { status, body } = await post({ name: 'Childless', children: [other.id] })
  assert.equal(status, 201)
  assert.deepEqual(body.data[0].children, [])
  assert.deepEqual((await patch(body.data[0].id, { children: [other.id] })).body.data.children, [])
})

test('taxonomies are filtered by name, parent and path, and sorted by name', async () => {
  const [root] = (await make('Filter', 'b')) as [Node]
  await put([{ path: 'Filter/a' }, { path: 'Filter/c/b' }])
  const names = async (query: string) =>
    (await corvus.call('GET', `taxonomies?${query}`)).body.data.map(({ path }: Node) => path.join('/'))
  assert.deepEqual(await names(`filter[parent]=${root.id}&sort=-name`), ['Filter/c', 'Filter/b', 'Filter/a'])
  assert.deepEqual(await names(`filter[parent]=${encodeURIComponent(url(root.id))}&sort=name&limit=1`), ['Filter/a'])
  assert.deepEqual(await names(`filter[name]=b&filter[path]=Filter/c/b&filter[path]=Filter/a`), ['Filter/c/b'])
  assert.deepEqual(await names('filter[parent]=null&filter[name]=Filter'), ['Filter'])
  assert.deepEqual(await names(`filter[!path]=Filter/a&filter[parent]=${root.id}&sort=name`), ['Filter/b', 'Filter/c'])
  assert.equal((await corvus.call('GET', 'taxonomies?filter[parent]=x')).status, 400)
  assert.equal((await corvus.call('GET', 'taxonomies?filter[path]=')).status, 400)
  assert.equal((await corvus.call('GET', 'taxonomies?sort=path')).status, 400)
})

test('reading needs the permission to read, and writing the one to modify', async () => {
  const reader = await corvus.tokenFor(['read taxonomies'])
  const { id } = await lastOf('Guarded')
  assert.equal((await corvus.call('GET', `taxonomies/${id}`, undefined, reader)).status, 200)
  for (const [method, path] of [
    ['POST', 'taxonomies'],
    ['PATCH', `taxonomies/${id}`],
    ['PUT', `taxonomies/${id}/children/${id}`],
    ['DELETE', `taxonomies/${id}/children/${id}`],
  ] as const) {
    const { status, body } = await corvus.call(method, path, { data: {} }, reader)
    assert.equal(status, 403)
    assert.equal(body[0].detail, 'Missing permissions: [modify taxonomies]')
  }
})
