import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answered, BASE, startApp } from '../../../test/app.ts'

interface Node {
  readonly id: number
  readonly name: string
  readonly path: string[]
  readonly [field: string]: unknown
}

let corvus: Awaited<ReturnType<typeof startApp>>
let statements = 0
before(async () => {
  corvus = await startApp((statement) => {
    // Who is calling is looked up now and then, and noted now and then, beside the request.
    if (!/\b(tokens|sessions)\b/.test(statement)) statements++
  })
})
after(() => corvus.stop())

const url = (id: number | undefined) => `${BASE}/api/v2/taxonomies/${id}`
const post = (data: unknown) => corvus.call('POST', 'taxonomies', { data })
const put = (data: unknown) => corvus.call('PUT', 'taxonomies', { data })
const patch = (id: number, data: unknown) => corvus.call('PATCH', `taxonomies/${id}`, { data })
const get = async (id: number): Promise<Node> => (await corvus.call('GET', `taxonomies/${id}`)).body.data
const total = async () => (await corvus.call('GET', 'taxonomies?data=false')).body.total_count
const pathsIn = ({ body }: Answered) => body.data.map(({ path }: Node) => path.join('/'))

/** Makes a path and gives its nodes, root first. */
async function make(...path: string[]): Promise<Node[]> {
  const { status, body } = await post({ path })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data
}

const lastOf = async (...path: string[]): Promise<Node> => (await make(...path)).at(-1) as Node

test('POST of a path answers its nodes, root first, and makes those that are missing', async () => {
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

test('POST of what is there already is a 409, in every form', async () => {
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

test('PUT makes and updates nodes, and answers one for each item in the order of the request', async () => {
  const items = [
    { path: 'Motive/Money/Extortion', description: 'first' },
    { name: 'Motive' },
    { name: 'Fame', parent: 'Motive' },
    { path: ['Motive', 'Money'] },
  ]
  const made = await put(items)
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(pathsIn(made), ['Motive/Money/Extortion', 'Motive', 'Motive/Fame', 'Motive/Money'])
  const again = await put([...items].reverse())
  assert.equal(again.status, 200)
  assert.deepEqual(again.body.data, [...made.body.data].reverse())

  const mixed = await put([{ path: 'Motive/Money', description: 'changed' }, { path: 'Motive/Hate/Rivals' }])
  assert.equal(mixed.status, 201)
  assert.deepEqual(pathsIn(mixed), ['Motive/Money', 'Motive/Hate/Rivals'])
  assert.equal(mixed.body.data[0].description, 'changed')
  const single = await put({ name: 'Money', parent: 'Motive' })
  assert.equal(single.status, 200)
  assert.equal(single.body.data.description, 'changed', 'what is not given stays')
})

test('PUT takes back what GET answered', async () => {
  await make('Kept', 'As it is')
  const { data } = (await corvus.call('GET', 'taxonomies?limit=500')).body
  const { status, body } = await put(data)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  assert.deepEqual(body.data, data)
})

test('PUT of a whole tree needs no order', async () => {
  const answer = await put([
    { name: 'leaf', parent: 'tree/branch' },
    { name: 'branch', parent: ['tree'] },
    { name: 'tree' },
  ])
  assert.deepEqual(pathsIn(answer), ['tree/branch/leaf', 'tree/branch', 'tree'])
  const before = await total()
  const { status, body } = await put([
    { name: 'leaf', parent: 'no tree/branch' },
    { name: 'branch', parent: 'no tree' },
  ])
  assert.equal(status, 400)
  assert.deepEqual(body[0].detail, `[1].parent: there is no 'no tree' in taxonomies.`)
  assert.equal(await total(), before)
})

test('the same node twice in one PUT names both positions and stores nothing', async () => {
  const before = await total()
  const { status, body } = await put([{ path: 'Double/one' }, { path: 'Double' }, { name: 'one', parent: 'Double' }])
  assert.equal(status, 400)
  assert.equal(body[0].detail, '[0] and [2] have the same parent and name.')
  assert.equal(await total(), before)
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
    [{ path: 'Right/a', name: 'b' }, /^name: is not the last name of path/],
    [{ path: 'Wrong/a', parent: id }, /^parent: is not what path says/],
    [{ path: 'Right/a', parent: null }, /^parent: is not what path says/],
  ] as const) {
    const { status, body } = await post(data)
    assert.equal(status, 400, `${JSON.stringify(data)} ${JSON.stringify(body)}`)
    assert.match(body[0].detail, detail)
  }
  const { body } = await put([{ name: 'x', parent: 'nowhere' }, { name: 'fine' }, {}])
  assert.deepEqual(
    body.map(({ detail }: { detail: string }) => detail),
    [`[0].parent: there is no 'nowhere' in taxonomies.`, '[2].name: is required where there is no path'],
  )
})

test('names of 500 characters make a path of 20 levels', async () => {
  const names = Array.from({ length: 20 }, (_, i) => String.fromCharCode(97 + i).repeat(500))
  assert.deepEqual((await lastOf(...names)).path, names)
})

test('children in a body are ignored', async () => {
  const other = await lastOf('Not adopted')
  const { status, body } = await post({ name: 'Childless', children: [other.id] })
  assert.equal(status, 201)
  assert.deepEqual(body.data[0].children, [])
  assert.deepEqual((await patch(body.data[0].id, { children: [other.id] })).body.data.children, [])
})

test('renaming a node renames it in the paths of everything below, in the same number of statements', async () => {
  const [root, middle, leaf] = await make('Old', 'middle', 'leaf')
  await put(Array.from({ length: 50 }, (_, i) => ({ name: `leaf ${i}`, parent: middle?.id })))
  const alone = await lastOf('No children')
  statements = 0
  await patch(alone.id, { name: 'Still no children' })
  const few = statements
  statements = 0
  const renamed = await patch(root?.id as number, { name: 'New', description: undefined })
  assert.equal(statements, few)
  assert.equal(renamed.status, 200)
  assert.deepEqual([renamed.body.data.name, renamed.body.data.path], ['New', ['New']])
  assert.deepEqual((await get(leaf?.id as number)).path, ['New', 'middle', 'leaf'])
  assert.notEqual((await get(leaf?.id as number)).last_updated_at, leaf?.last_updated_at)
  assert.equal((await corvus.call('GET', 'taxonomies?filter[path]=New/middle/leaf 7')).body.total_count, 1)
  assert.equal((await corvus.call('GET', 'taxonomies?filter[path]=Old')).body.total_count, 0)
})

test('a node moves with all that is below it, and back to the roots', async () => {
  const [from, node, leaf] = (await make('From', 'node', 'leaf')) as [Node, Node, Node]
  const [, to] = (await make('To', 'here')) as [Node, Node]
  const moved = await patch(node.id, { name: 'moved', parent: to.id, description: 'also this' })
  assert.equal(moved.status, 200)
  assert.deepEqual(moved.body.data.path, ['To', 'here', 'moved'])
  assert.deepEqual([moved.body.data.parent, moved.body.data.description], [url(to.id), 'also this'])
  assert.deepEqual((await get(leaf.id)).path, ['To', 'here', 'moved', 'leaf'])
  assert.deepEqual((await get(from.id)).children, [])
  assert.deepEqual((await patch(node.id, { parent: 'From' })).body.data.path, ['From', 'moved'])
  const free = await patch(node.id, { parent: null })
  assert.deepEqual([free.body.data.path, free.body.data.parent], [['moved'], null])
  assert.deepEqual((await get(leaf.id)).path, ['moved', 'leaf'])
})

test('a change that changes nothing leaves no trace, and GET can be sent back with another name', async () => {
  const node = await lastOf('Trace', 'none')
  assert.deepEqual((await patch(node.id, {})).body.data, node)
  assert.deepEqual((await patch(node.id, node)).body.data, node)
  const renamed = await patch(node.id, { ...node, name: 'some' })
  assert.deepEqual(renamed.body.data.path, ['Trace', 'some'])
  assert.equal((await patch(node.id, { description: 'x' })).body.data.description, 'x')
  assert.equal((await patch(node.id, { description: null })).body.data.description, '')
})

test('a node cannot move below itself, onto a name that is taken, or too deep', async () => {
  const [root, middle, leaf] = (await make('Circle', 'middle', 'leaf')) as [Node, Node, Node]
  for (const parent of [root.id, middle.id, leaf.id, 'Circle/middle/leaf']) {
    const { status, body } = await patch(root.id, { parent })
    assert.equal(status, 400)
    assert.equal(body[0].detail, 'parent: a taxonomy cannot be below itself')
  }
  assert.equal((await patch(middle.id, { parent: 2 ** 31 - 1 })).status, 400)
  assert.equal((await patch(middle.id, { name: null })).status, 400)
  assert.equal((await patch(2 ** 31 - 1, { name: 'x' })).status, 404)
  const taken = await lastOf('Circle', 'taken')
  assert.equal((await patch(taken.id, { name: 'middle' })).status, 409)
  const other = await lastOf('Square', 'middle')
  assert.equal((await patch(other.id, { parent: root.id })).status, 409)
  assert.equal((await patch(other.id, { parent: null, name: 'Circle' })).status, 409)
  const bottom = await lastOf(...Array.from({ length: 18 }, (_, i) => `shaft ${i}`))
  const { status, body } = await patch(root.id, { parent: bottom.id })
  assert.equal(status, 400)
  assert.equal(body[0].detail, 'parent: a tree can have at most 20 levels')
  assert.deepEqual((await get(leaf.id)).path, ['Circle', 'middle', 'leaf'])
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

test('a PUT takes the same number of statements for 5 nodes and for 1,000, however deep', async () => {
  const paths = (count: number, tag: string) =>
    Array.from({ length: count }, (_, i) => ({ path: [tag, `${i % 7}`, `${i}`] }))
  await put(paths(5, 'few'))
  statements = 0
  await put(paths(5, 'some'))
  const few = statements
  statements = 0
  assert.equal((await put(paths(1000, 'many'))).status, 201)
  assert.equal(statements, few)
  statements = 0
  await put([{ path: Array.from({ length: 20 }, () => 'deep') }])
  assert.equal(statements, few)
})
