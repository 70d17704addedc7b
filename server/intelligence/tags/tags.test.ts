import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, corvus, found, list, merge, rename, tagged, tagsOf } from '../../../test/set-up/tags.ts'

test('tags in paths can contain any character', async () => {
  const odd = [
    'a/b',
    'a%2Fb',
    '100%',
    'c++ #1?&=;',
    'v1.2.3',
    '.hidden',
    'Ünï 日本語 🦅',
    `it's "q" \\ back`,
    'merge',
    'a b',
    'x:y & !z | (w)',
    '語'.repeat(500),
  ]
  for (const name of odd) {
    const { id } = await tagged([name, 'odd'])
    const renamed = await rename(name, `${name.slice(0, 400)} (new)`)
    assert.equal(renamed.status, 200, `${name} ${JSON.stringify(renamed.body)}`)
    assert.deepEqual(await tagsOf(id), [`${name.slice(0, 400)} (new)`, 'odd'])
    assert.deepEqual(await found(`${name.slice(0, 400)} (new)`), [id])
    await rename(`${name.slice(0, 400)} (new)`, name)
    assert.deepEqual(await found(name), [id])
    assert.equal((await corvus.call('DELETE', at(name))).status, 204, name)
    assert.deepEqual(await tagsOf(id), ['odd'])
  }
})

test('wrong input is a 400 that names the field, and an unknown tag a 404', async () => {
  await tagged(['right'])
  for (const [answer, detail] of [
    [rename('right', ''), /^data\.name: must have at least 1 character/],
    [rename('right', '   '), /^data\.name: must have at least 1 character/],
    [rename('right', 'x'.repeat(501)), /^data\.name: must have at most 500 characters/],
    [rename('right', 7), /^data\.name: must be of type string/],
    [rename('right', 'a\u0000'), /^data\.name: must not contain the NUL/],
    [rename('right', 'a\ud800'), /^data\.name: must not contain half/],
    [rename('right', undefined), /^data\.name: is required/],
    [merge([], 'x'), /^data\.tags: must have at least 1 item/],
    [merge('right', 'x'), /^data\.tags: must be of type array/],
    [merge(['right', 7], 'x'), /^data\.tags\[1\]: must be of type string/],
    [merge(['right'], ' '), /^data\.into: must have at least 1 character/],
  ] as const) {
    const { status, body } = await answer
    assert.equal(status, 400, JSON.stringify(body))
    assert.match(body[0].detail, detail)
  }
  for (const answer of [
    rename('unknown', 'right'),
    rename('unknown', 'unknown'),
    rename('RIGHT', 'x'),
    merge(['unknown', 'too'], 'right'),
    corvus.call('DELETE', at('unknown')),
  ]) {
    const { status, body } = await answer
    assert.equal(status, 404, JSON.stringify(body))
    assert.match(body[0].detail, /^The resource '(unknown|RIGHT)' does not exist\.$/)
  }
  assert.deepEqual((await rename('right', 'right')).body.data, { name: 'right', count: 1, changed: 0 })
})

test('only visible entities are counted and changed', async () => {
  // No user of this test is in the group, so its source is invisible to all.
  const { source } = await corvus.blindGroup('Behind the curtain')
  const secret = await tagged(['shared', 'secret tag'], { sources: [source] })
  const open = await tagged(['shared'])
  const other = await tagged(['shared'], { sources: [source] })
  assert.deepEqual(await list('filter[name]=shared'), [{ name: 'shared', count: 1 }])
  assert.deepEqual(await list('filter[name]=secret tag'), [])
  for (const answer of [
    rename('secret tag', 'x'),
    corvus.call('DELETE', at('secret tag')),
    merge(['secret tag'], 'x'),
  ]) {
    assert.equal((await answer).status, 404)
  }
  assert.deepEqual((await rename('shared', 'public')).body.data, { name: 'public', count: 1, changed: 1 })
  assert.deepEqual(await tagsOf(open.id), ['public'])
  const { rows } = await corvus.pool.query('select tags, version from entities where id = any($1)', [
    [secret.id, other.id],
  ])
  assert.deepEqual(
    rows.map(({ tags, version }) => [tags[0], version]),
    [
      ['shared', 1],
      ['shared', 1],
    ],
  )
})

test('reading tags needs permission to read entities, and changing them to modify entities', async () => {
  await tagged(['permitted'])
  const reader = await corvus.tokenFor(['read entities'])
  const writer = await corvus.tokenFor(['modify entities'])
  assert.equal((await corvus.call('GET', 'tags', undefined, reader)).status, 200)
  assert.equal((await corvus.call('GET', 'tags', undefined, writer)).status, 403)
  for (const [method, path, data] of [
    ['PATCH', at('permitted'), { name: 'permitted still' }],
    ['POST', 'tags/merge', { tags: ['permitted still'], into: 'permitted' }],
    ['DELETE', at('permitted'), undefined],
  ] as const) {
    const refused = await corvus.call(method, path, data && { data }, reader)
    assert.equal(refused.body[0].detail, 'Missing permissions: [modify entities]')
    assert.ok((await corvus.call(method, path, data && { data }, writer)).status < 300)
  }
})
