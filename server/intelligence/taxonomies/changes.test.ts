import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, get, make as makeNodes, type Node, patch, url } from '../../../test/set-up/taxonomies.ts'

/** Creates a path and returns the ids of its nodes, root first. */
const make = async (...path: string[]): Promise<number[]> => (await makeNodes(...path)).map(({ id }) => id)

test('the children of a node are listed, and other nodes become its children', async () => {
  const [root = 0, child = 0] = await make('Parent', 'child')
  const [other = 0, below = 0] = await make('Other', 'below')
  const [third = 0] = await make('Third')
  const path = `taxonomies/${root}/children`
  assert.deepEqual((await corvus.call('GET', path)).body.data, [url(child)])
  assert.equal((await corvus.call('GET', `${path}/${child}`)).body.data, url(child))
  assert.equal((await corvus.call('GET', `${path}/${other}`)).status, 404)

  const added = await corvus.call('POST', path, { data: [other, url(child)] })
  assert.equal(added.status, 200, JSON.stringify(added.body))
  assert.deepEqual(added.body.data, [url(child), url(other)])
  assert.deepEqual((await get(below)).path, ['Parent', 'Other', 'below'])
  assert.deepEqual((await corvus.call('PUT', `${path}/${third}`)).body.data, [url(child), url(other), url(third)])
  assert.equal((await get(third)).parent, url(root))
  assert.equal((await corvus.call('PUT', path, { data: [third, third] })).status, 200, 'adding twice is no error')

  assert.equal((await corvus.call('DELETE', `${path}/${other}`)).status, 204)
  assert.deepEqual([(await get(other)).parent, (await get(below)).path], [null, ['Other', 'below']])
  assert.equal((await corvus.call('DELETE', `${path}/${other}`)).status, 404)
  assert.equal((await corvus.call('DELETE', `${path}/${below}`)).status, 404)
})

test('nodes that lie below each other can become children of the same node at once', async () => {
  const [one = 0, two = 0, three = 0] = await make('Chain', 'two', 'three')
  const [target = 0] = await make('Target')
  const { status, body } = await corvus.call('POST', `taxonomies/${target}/children`, { data: [one, three] })
  assert.equal(status, 200)
  assert.deepEqual(body.data, [url(one), url(three)])
  assert.deepEqual((await get(two)).path, ['Target', 'Chain', 'two'])
  assert.deepEqual([(await get(three)).path, (await get(three)).parent], [['Target', 'three'], url(target)])
})

test('invalid children are refused', async () => {
  const [root = 0, child = 0] = await make('Strict', 'child')
  const [twin = 0] = await make('child')
  const path = `taxonomies/${child}/children`
  for (const [node, status] of [
    [root, 400],
    [child, 400],
    [2 ** 31 - 1, 400],
  ] as const) {
    const answer = await corvus.call('POST', path, { data: [node] })
    assert.equal(answer.status, status)
    assert.match(answer.body[0].detail, /^children: /)
  }
  assert.equal((await corvus.call('PUT', `${path}/x`)).status, 400)
  assert.equal((await corvus.call('POST', path, { data: ['x'] })).status, 400)
  assert.equal((await corvus.call('PUT', `taxonomies/${2 ** 31 - 1}/children/${root}`)).status, 404)
  assert.equal((await corvus.call('PUT', `taxonomies/${root}/children/${twin}`)).status, 409)
  assert.equal(
    (await corvus.call('DELETE', `taxonomies/${root}/children/${child}`)).status,
    409,
    'a root has that name',
  )
  assert.deepEqual((await get(child)).path, ['Strict', 'child'])
})

test('a node with children can only be deleted together with everything below it, in any order', async () => {
  const [root = 0, middle = 0, leaf = 0] = await make('Doomed', 'middle', 'leaf')
  const refused = await corvus.call('DELETE', `taxonomies/${middle}`)
  assert.equal(refused.status, 409)
  assert.match(refused.body[0].detail, /'Doomed\/middle' has children/)
  assert.equal((await corvus.call('DELETE', 'taxonomies', [root, leaf])).status, 409)
  assert.equal((await corvus.call('DELETE', 'taxonomies', [root, middle])).status, 409)
  assert.equal((await corvus.call('DELETE', 'taxonomies', [leaf, 2 ** 31 - 1])).status, 404)
  assert.equal((await get(leaf)).id, leaf)
  assert.equal((await corvus.call('DELETE', 'taxonomies', [middle, root, leaf])).status, 204)
  assert.equal((await corvus.call('GET', `taxonomies/${leaf}`)).status, 404)
  const [left = 0, right = 0] = await make('Left', 'right')
  assert.equal((await corvus.call('DELETE', `taxonomies/${right}`)).status, 204)
  assert.equal((await corvus.call('DELETE', `taxonomies/${left}`)).status, 204)
})

test('entities lose a node that is deleted, and are no longer found by it', async () => {
  const [root = 0, node = 0] = await make('Class', 'node')
  const entity = async (title: string, taxonomies: unknown[]) =>
    (await corvus.call('POST', 'entities', { data: { data: { type: 'malware', title }, meta: { taxonomies } } })).body
      .data
  const both = await entity('both', [root, 'Class/node'])
  const one = await entity('one', [root])
  assert.deepEqual(both.meta.taxonomies, [url(root), url(node)])
  const lexemes = async (id: string) =>
    (await corvus.pool.query('select search::text from entities where id = $1', [id])).rows[0].search
  assert.ok((await lexemes(both.id)).includes(`x\u001f${node}'`))

  assert.equal((await corvus.call('DELETE', `taxonomies/${node}`)).status, 204)
  const left = (await corvus.call('GET', `entities/${both.id}`)).body.data
  assert.deepEqual(left.meta.taxonomies, [url(root)])
  assert.ok(left.last_updated_at > both.last_updated_at)
  assert.ok(!(await lexemes(both.id)).includes(`x\u001f${node}'`))
  assert.ok((await lexemes(both.id)).includes(`x\u001f${root}'`))
  assert.equal((await corvus.call('GET', `entities?filter[taxonomies]=${node}`)).body.total_count, 0)
  const untouched = (await corvus.call('GET', `entities/${one.id}`)).body.data
  assert.equal(untouched.last_updated_at, one.last_updated_at)
  const { rows } = await corvus.pool.query('select resource, kind, ids from changes order by id desc limit 2')
  assert.deepEqual(rows, [
    { resource: 'taxonomies', kind: 'delete', ids: [String(node)] },
    { resource: 'entities', kind: 'update', ids: [both.id] },
  ])
})

test('system nodes cannot be changed or deleted, but can have other nodes below them', async () => {
  const [root = 0, child = 0] = await make('System', 'child')
  const [other = 0] = await make('Elsewhere')
  await corvus.pool.query('update taxonomies set is_system = true where id = any($1)', [[root, child]])
  for (const [method, path, data] of [
    ['PATCH', `taxonomies/${root}`, { name: 'Mine' }],
    ['PATCH', `taxonomies/${child}`, { parent: null }],
    ['PATCH', `taxonomies/${root}`, { description: 'Mine' }],
    ['PUT', 'taxonomies', [{ name: 'System', description: 'Mine' }]],
    ['PUT', `taxonomies/${other}/children/${child}`, undefined],
    ['DELETE', `taxonomies/${root}/children/${child}`, undefined],
    ['DELETE', `taxonomies/${child}`, undefined],
    ['DELETE', 'taxonomies', [root, child]],
  ] as const) {
    const { status, body } = await corvus.call(method, path, data && { data })
    assert.equal(status, 403, `${method} ${path}`)
    assert.match(body[0].detail, /^The taxonomy 'System.*' is a system node and cannot be changed or deleted\.$/)
  }
  assert.equal((await corvus.call('PUT', 'taxonomies', { data: [await get(root)] })).status, 200)
  assert.deepEqual((await get((await make('System', 'own')).at(-1) ?? 0)).path, ['System', 'own'])
})

test('every change is logged', async () => {
  const [root = 0, child = 0] = await make('Logged', 'child')
  await patch(root, { name: 'Noted' })
  const { rows } = await corvus.pool.query(
    `select kind, ids from changes where resource = 'taxonomies' order by id desc limit 2`,
  )
  const sorted = rows.map(({ kind, ids }) => [kind, ids.map(Number).sort()])
  assert.deepEqual(sorted, [
    ['update', [root, child].sort()],
    ['create', [root, child].sort()],
  ])
})

test('twenty concurrent requests for the same path create one set of nodes', async () => {
  const path = ['Race', 'to', 'the', 'bottom']
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      i % 2
        ? corvus.call('POST', 'taxonomies', { data: { path } })
        : corvus.call('PUT', 'taxonomies', { data: [{ path: path.join('/') }] }),
    ),
  )
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(
    [...new Set(statuses)].filter((status) => ![200, 201, 409].includes(status)),
    [],
  )
  assert.equal(statuses.filter((status) => status === 201).length, 1)
  const { rows } = await corvus.pool.query(`select count(*) from taxonomies where path[1] = 'Race'`)
  assert.equal(Number(rows[0].count), 4)
})

test('twenty concurrent requests with overlapping trees create every path once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      corvus.call('PUT', 'taxonomies', {
        data: Array.from({ length: 10 }, (_, j) => ({ path: ['Forest', `${(i + j) % 5}`, `${j}`] })),
      }),
    ),
  )
  assert.deepEqual(
    answers.filter(({ status }) => status > 201),
    [],
  )
  const { rows } = await corvus.pool.query(
    `select count(*)::int as count, count(distinct path)::int as paths from taxonomies where path[1] = 'Forest'`,
  )
  assert.deepEqual(rows, [{ count: 56, paths: 56 }])
})

test('concurrent moves create no cycle and keep every path correct', async () => {
  const roots = (
    await corvus.call('PUT', 'taxonomies', { data: ['p', 'q', 'r', 's'].map((name) => ({ path: `${name}/${name}2` })) })
  ).body
  const ids: number[] = roots.data.flatMap(({ id, parent }: Node) => [id, Number(String(parent).split('/').at(-1))])
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => {
      const [node, parent] = [ids[i % ids.length] ?? 0, ids[(i * 5 + 3) % ids.length] ?? 0]
      return i % 3 ? patch(node, { parent }) : corvus.call('PUT', `taxonomies/${parent}/children/${node}`)
    }),
  )
  assert.deepEqual(
    answers.filter(({ status }) => ![200, 400].includes(status)).map(({ body }) => body),
    [],
  )
  const { rows } = await corvus.pool.query(`
    with recursive tree as (
      select id, array[name] as path from taxonomies where parent is null
      union all
      select c.id, t.path || c.name from tree as t join taxonomies as c on c.parent = t.id
    )
    select t.id from taxonomies as t left join tree on tree.id = t.id where tree.path is distinct from t.path`)
  assert.deepEqual(rows, [])
})

test('an entity that is classified while its node is deleted ends without it', async () => {
  for (let round = 0; round < 5; round++) {
    const [node = 0] = await make(`Vanishing ${round}`)
    const item = (i: number) => ({ data: { type: 'malware', title: `e ${round} ${i}` }, meta: { taxonomies: [node] } })
    const answers = await Promise.all([
      corvus.call('PUT', 'entities', { data: [item(1), item(2)] }),
      corvus.call('DELETE', `taxonomies/${node}`),
      corvus.call('PUT', 'entities', { data: [item(3)] }),
    ])
    for (const { status, body } of answers) assert.ok(status < 500, JSON.stringify(body))
    const { rows } = await corvus.pool.query(`select id from entities where search @@ $1::tsquery`, [
      `'x\u001f${node}'`,
    ])
    assert.deepEqual(rows, [])
  }
})
