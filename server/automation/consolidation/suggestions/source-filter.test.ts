import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addSuggestion, corvus, makeEntity, makeGroup } from '../../../../test/set-up/policies.ts'

test('suggestions are filtered by the source of either entity', async () => {
  const [one, other, third] = [await makeGroup(), await makeGroup(), await makeGroup()]
  const make = async (source: string, title: string) => (await makeEntity(source, title)).id
  const first = await addSuggestion(await make(one.source, 'Heron'), await make(other.source, 'Grey heron'))
  const second = await addSuggestion(await make(other.source, 'Egret'), await make(third.source, 'Little egret'))
  const found = async (search: string) => {
    const { status, body } = await corvus.call('GET', `consolidation-suggestions?${search}&sort=id`)
    return status === 200 ? body.data.map(({ id }: { id: number }) => id) : status
  }
  const unknown = await makeGroup()
  assert.deepEqual(await found(`filter[source]=${encodeURIComponent(other.source)}`), [first, second])
  assert.deepEqual(await found(`filter[source]=${encodeURIComponent(one.source)}`), [first])
  assert.deepEqual(
    await found(`filter[source]=${encodeURIComponent(one.source)}&filter[source]=${encodeURIComponent(third.source)}`),
    [first, second],
  )
  assert.deepEqual(await found(`filter[source]=${encodeURIComponent(unknown.source)}`), [])
  assert.equal(await found('filter[source]=heron'), 400)
})
