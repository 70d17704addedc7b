import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundleOf, shippedContent } from '../../../test/set-up/attack-bundle.ts'
import { classify, corvus, load, preview } from '../../../test/set-up/frameworks.ts'

const PATH = 'attacks/frameworks'
const shipped = await shippedContent('ics-attack')
const tactics = ['inhibit-response-function']

/** T0800 is split into two, T0802 is in another tactic, and T0801 gets another name. */
const next = bundleOf({
  ...shipped,
  version: '19.0',
  techniques: [
    ...shipped.techniques.map((technique) => {
      if (technique.id === 'T0800') return { ...technique, revokedBy: ['T0998', 'T0999'] }
      if (technique.id === 'T0801') return { ...technique, name: 'Watching' }
      return technique.id === 'T0802' ? { ...technique, tactics: ['impact'] } : technique
    }),
    { id: 'T0998', name: 'Delay Updates', tactics },
    { id: 'T0999', name: 'Stop Updates', tactics },
  ],
})

/** The administrator sees nothing of this source, and a colleague everything. */
const { source } = await corvus.blindGroup('Elsewhere')
const colleague = await corvus.tokenFor('all')
const { body: self } = await corvus.call('GET', 'users/self', undefined, colleague)
const cleared = { name: 'Cleared', users: [self.data.id], sources: [`${source}?allowed_tlp=RED`] }
assert.equal((await corvus.call('POST', 'groups', { data: cleared })).status, 201)

async function classifyHidden(title: string, attacks: readonly string[]): Promise<string> {
  const data = { data: { type: 'report', title }, meta: { attacks, tlp_color: 'RED' }, sources: [source] }
  const { status, body } = await corvus.call('POST', 'entities', { data })
  assert.equal(status, 201, JSON.stringify(body))
  return body.data.id
}

interface Used {
  readonly id: string
  readonly entities: number
}

const usesOf = ({ report }: { report: { uses: readonly Used[]; renamed_uses: readonly Used[] } }) =>
  [...report.uses, ...report.renamed_uses].map(({ id, entities }) => [id, entities])

async function read(path: string, token: string) {
  const { status, body } = await corvus.call('GET', `${PATH}/${path}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

test('previews, loads and reviews count the entities that the caller sees', async () => {
  await classify('Seen', ['TA0100:T0802', 'TA0100:T0801'])
  const hidden = await classifyHidden('Hidden', ['TA0107:T0800', 'TA0100:T0802', 'TA0100:T0801'])
  const previews = [await preview(next), await preview(next, { token: colleague })] as const
  const [mine, theirs] = previews.map(({ status, body }) => {
    assert.equal(status, 201, JSON.stringify(body))
    return body.data
  })
  const seen = [
    ['TA0100:T0802', 1],
    ['TA0100:T0801', 1],
  ]
  const all = [
    ['TA0100:T0802', 2],
    ['TA0107:T0800', 1],
    ['TA0100:T0801', 2],
  ]
  assert.deepEqual([usesOf(mine), usesOf(theirs)], [seen, all])
  // The report does not keep what the one who asked for it saw.
  assert.deepEqual(usesOf(await read(`loads/${theirs.id}`, corvus.admin)), seen)
  assert.deepEqual(usesOf(await read(`loads/${mine.id}`, colleague)), all)
  const reader = await corvus.tokenFor(['read attack'])
  assert.deepEqual(usesOf(await read(`loads/${theirs.id}`, reader)), [])

  const loaded = await load(mine.id)
  assert.equal(loaded.status, 200, JSON.stringify(loaded.body))
  const shown = async (token: string) => {
    const { remapped, open_reviews, ...rest } = await read(`loads/${mine.id}`, token)
    return [remapped.entities, open_reviews, usesOf(rest)]
  }
  assert.deepEqual(await shown(corvus.admin), [1, 0, seen])
  assert.deepEqual(await shown(colleague), [2, 1, all])
  assert.deepEqual(await shown(reader), [0, 0, []])

  assert.deepEqual(await read('reviews', corvus.admin), [])
  const [review] = await read('reviews', colleague)
  assert.deepEqual([review.node.id, review.entities], ['TA0107:T0800', 1])
  const choose = (token: string) =>
    corvus.call('POST', `${PATH}/reviews/${review.id}/choose`, { data: { successors: ['TA0107:T0999'] } }, token)
  assert.equal((await choose(corvus.admin)).status, 404)
  assert.equal((await choose(colleague)).status, 200)
  const decided = 'reviews?filter[state]=chosen&filter[state]=kept'
  assert.deepEqual(await read(decided, corvus.admin), [])
  assert.equal((await choose(corvus.admin)).status, 404)
  assert.deepEqual(
    (await read(decided, colleague)).map(({ id }: { id: number }) => id),
    [review.id],
  )
  const { body } = await corvus.call('GET', `entities/${hidden}`, undefined, colleague)
  const nodes = body.data.meta.attacks.map((url: string) => url.split('/').at(-1))
  assert.deepEqual(nodes, ['TA0107:T0999', 'TA0105:T0802', 'TA0100:T0801'])
})
