import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ask,
  corvus,
  makeEntity,
  makeGroup,
  makePolicy,
  readerOf,
  refused,
  unify,
} from '../../../../test/set-up/policies.ts'

test('a dissolution counts the unified entities of the policy that the caller sees', async () => {
  const [one, two, merge] = [await makeGroup(), await makeGroup(), await makeGroup()]
  const [policy, other] = [await makePolicy({ merge_group: merge.id }), await makePolicy()]
  const make = async (source: string, more: object = {}) => (await makeEntity(source, 'Emotet', more)).id
  await unify(await make(merge.source), [await make(one.source), await make(two.source)], policy.id)
  await unify(
    await make(merge.source),
    [await make(one.source), await make(one.source), await make(one.source)],
    policy.id,
  )
  const tool = { type: 'tool' }
  await unify(await make(merge.source, tool), [await make(one.source, tool), await make(one.source, tool)], policy.id)
  await unify(await make(merge.source), [await make(one.source), await make(one.source)], other.id)

  const path = `consolidation-rules/${policy.id}`
  assert.deepEqual(await ask('GET', `${path}/dissolution`), {
    unified: 3,
    contributors: 7,
    by_type: [
      { type: 'malware', count: 2 },
      { type: 'tool', count: 1 },
    ],
  })
  assert.partialDeepStrictEqual(await ask('GET', path), { unified_count: 3, contributors_count: 7 })

  const partly = await readerOf([one.source, merge.source])
  assert.deepEqual(await ask('GET', `${path}/dissolution`, undefined, partly), {
    unified: 2,
    contributors: 5,
    by_type: [
      { type: 'malware', count: 1 },
      { type: 'tool', count: 1 },
    ],
  })
  assert.partialDeepStrictEqual(await ask('GET', path, undefined, partly), { unified_count: 2, contributors_count: 5 })
  const blind = await readerOf([one.source, two.source])
  assert.deepEqual(await ask('GET', `${path}/dissolution`, undefined, blind), {
    unified: 0,
    contributors: 0,
    by_type: [],
  })

  const reader = await corvus.tokenFor(['read rules'])
  assert.partialDeepStrictEqual(await ask('GET', path, undefined, reader), { unified_count: 0, contributors_count: 0 })
  await refused(403, 'GET', `${path}/dissolution`, undefined, reader)
  await refused(404, 'GET', 'consolidation-rules/999999/dissolution')
})
