import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { isCounted } from '../../../test/set-up/counting.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let statements: string[] = []
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement)) statements.push(statement)
  })
})
after(() => corvus.stop())

const reports = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ data: { type: 'report', title: `lapwing ${i}` }, meta: { tags: [] } }))

async function statementsOf(count: number): Promise<number> {
  statements = []
  const { status } = await corvus.call('PUT', 'entities', reports(count))
  assert.equal(status, 201)
  return statements.length
}

test('a bulk write takes the same number of statements for 1, 20 and 200 rules, and for any number of entities', async () => {
  const rule = (i: number) => ({
    name: `Rule ${i}`,
    is_active: true,
    actions: ['add_tags', 'override_tlp'],
    add_tags: [`tag ${i}`],
    override_tlp: 'GREEN',
    content_criteria: i % 2 ? `data.title:lapwing AND NOT tags:absent${i}` : null,
  })
  const counts = []
  let made = 0
  for (const wanted of [2, 20, 200]) {
    const items = Array.from({ length: wanted - made }, (_, i) => rule(made + i))
    assert.equal((await corvus.call('PUT', 'entities/rules', items)).status, 201)
    made = wanted
    // The first write reads the changed rules, and adds words.
    await statementsOf(50)
    counts.push(await statementsOf(10), await statementsOf(50))
  }
  assert.equal(new Set(counts).size, 1, counts.join())
})
