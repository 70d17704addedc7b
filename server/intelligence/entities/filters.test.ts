import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, count, indicator, make } from '../../../test/set-up/entities.ts'

test('titles are found by term, phrase and wildcard, whatever the case', async () => {
  await make({ ...indicator('Lazarus Group moves to "quoted" Linux'), meta: { tags: ['titles'] } })
  await make({ ...indicator('Group of nobody'), meta: { tags: ['titles'] } })
  const found = (title: string) => count(`filter[tags]=titles&filter[data.title]=${encodeURIComponent(title)}`)
  assert.equal(await found('lazarus'), 1)
  assert.equal(await found('group'), 2)
  assert.equal(await found('GROUP lazarus'), 1)
  assert.equal(await found('"lazarus group"'), 1)
  assert.equal(await found('"group lazarus"'), 0)
  assert.equal(await found('laz*'), 1)
  assert.equal(await found('*azar*'), 1)
  assert.equal(await found('*'), 2)
  assert.equal(await found('"\\"quoted\\""'), 1)
  assert.equal(await found('azarus'), 0)
  assert.equal(await found('!?'), 0)
  assert.equal(await count('filter[tags]=titles&filter[data.title]=lazarus&filter[data.title]=nobody'), 2)
  assert.equal(await count('filter[tags]=titles&filter[!data.title]=lazarus'), 1)
})

test('types are filtered by their current and their older names', async () => {
  await make({ data: { type: 'eclecticiq-sighting', title: 'Seen' } })
  for (const query of ['filter[type]=vendor-sighting', 'filter[data.type]=eclecticiq-sighting']) {
    assert.equal(await count(query), 1, query)
  }
})

test('colours are sorted and compared by how restricted they are, in all pages', async () => {
  const colours = ['RED', 'GREEN', null, 'AMBER', 'WHITE', 'AMBER_STRICT', 'CLEAR', 'NONE']
  for (const tlp_color of colours) await make({ ...indicator('coloured'), meta: { tags: ['coloured'], tlp_color } })
  const walk = async (sort: string): Promise<(string | null)[]> => {
    const found: (string | null)[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = `entities?filter[tags]=coloured&sort=${sort}&limit=3${cursor && `&page[cursor]=${cursor}`}`
      const { body } = await corvus.call('GET', page)
      found.push(...body.data.map(({ meta }: { meta: { tlp_color: string | null } }) => meta.tlp_color))
      cursor = body.cursor
    }
    return found
  }
  const rising = ['NONE', 'NONE', 'WHITE', 'WHITE', 'GREEN', 'AMBER', 'RED', 'RED']
  assert.deepEqual(
    (await walk('meta.tlp_color')).map((colour) => colour ?? 'NONE'),
    rising,
  )
  assert.deepEqual(
    (await walk('-meta.tlp_color')).map((colour) => colour ?? 'NONE'),
    rising.toReversed(),
  )
  for (const [filter, found] of [
    ['>meta.tlp_color]=GREEN', 3],
    ['>=meta.tlp_color]=CLEAR', 6],
    ['<meta.tlp_color]=WHITE', 2],
    ['<=meta.tlp_color]=AMBER', 6],
    ['meta.tlp_color]=CLEAR', 2],
  ] as const) {
    assert.equal(await count(`filter[tags]=coloured&filter[${filter}`), found, filter)
  }
  const { status, body } = await corvus.call('GET', 'entities?filter[>meta.tlp_color]=PINK')
  assert.deepEqual(
    [status, body[0].detail.startsWith("filter[>meta.tlp_color]: 'PINK' is not one of NONE")],
    [400, true],
  )
})
