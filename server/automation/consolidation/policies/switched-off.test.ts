import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, corvus, type Item, makeGroup, makePolicy, readerOf, refused } from '../../../../test/set-up/policies.ts'

test('keys that are switched off are listed for those who see more than 50 of their members, with what they see', async () => {
  const [one, two] = [await makeGroup(), await makeGroup()]
  const [policy, other] = [await makePolicy(), await makePolicy()]
  const items = [...Array(60).keys()].map((i) => ({
    data: { type: 'malware', title: `Family ${i}` },
    sources: [(i < 52 ? one : two).source],
  }))
  const made: readonly Item[] = (await ask('PUT', 'entities', items)) as never
  const ids = made.map(({ id }) => id)
  await corvus.pool.query(
    `insert into match_subjects (entity, stix_id, type, policy, source, title)
     select id, stix_id, type, $2, 0, '' from entities where id = any($1::uuid[])`,
    [ids, policy.id],
  )
  const keyOf = (name: string, members: readonly string[]) =>
    corvus.pool.query(
      `with k as (insert into match_keys (key, entity) select $1, * from unnest($2::uuid[]) returning key)
       insert into switched_off_keys (key, members) select key, count(*) from k group by 1`,
      [name, members],
    )
  await keyOf('name:malware:backdoor', ids)
  await keyOf('title:malware:trojan', ids.slice(0, 51))
  await keyOf('place:location:loader', ids.slice(5, 57))

  const path = `consolidation-rules/${policy.id}/switched-off-keys`
  const listed = async (token?: string) =>
    ((await ask('GET', path, undefined, token)) as Item[]).map(({ since, ...rest }) => {
      assert.ok(Date.parse(since) > 0)
      return rest
    })
  assert.deepEqual(await listed(), [
    { kind: 'name', value: 'backdoor', members: 60 },
    { kind: 'place', value: 'loader', members: 52 },
    { kind: 'title', value: 'trojan', members: 51 },
  ])
  assert.deepEqual(await listed(await readerOf([one.source])), [
    { kind: 'name', value: 'backdoor', members: 52 },
    { kind: 'title', value: 'trojan', members: 51 },
  ])
  assert.deepEqual(await listed(await readerOf([two.source])), [])
  assert.deepEqual(await ask('GET', `consolidation-rules/${other.id}/switched-off-keys`), [])
  await refused(403, 'GET', path, undefined, await corvus.tokenFor(['read rules']))
  await refused(404, 'GET', 'consolidation-rules/999999/switched-off-keys')
})
