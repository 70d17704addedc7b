import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { consolidating } from '../../../test/set-up/consolidation.ts'
import { isCounted } from '../../../test/set-up/counting.ts'
import { regroup } from './regroup.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
let statements: string[] = []
let sources: string[] = []
before(async () => {
  corvus = await startApp((statement) => {
    if (isCounted(statement) && !/^(begin|commit)$/.test(statement)) statements.push(statement)
  })
  tools = consolidating(corvus)
  sources = [await tools.source('One'), await tools.source('Two')]
  await tools.policy(['malware'])
})
after(() => corvus.stop())

/** Half of the entities form pairs, and all have names that are only similar to those of others. */
const malware = (tag: string, count: number) =>
  Array.from({ length: count }, (_, i) => ({
    data: {
      type: 'malware',
      title: i % 4 < 2 ? `${tag} curlew ${i - (i % 2)}` : `${tag} whimbrel ${i}`,
      aliases: [`${tag} alias ${Math.floor(i / 5)}`],
    },
    sources: [sources[i % 2]],
  }))

/** What a statement writes, without its values. */
const shapeOf = (statement: string): string => statement.replace(/\s+/g, ' ').slice(0, 60)

async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  statements = []
  await work()
  return statements.map(shapeOf)
}

const regrouped = (ids: readonly string[]) => tools.inside((ctx) => regroup(ctx, ids))

test('grouping takes the same number of statements for 12 entities and for 480, and so does taking groups apart', async () => {
  const counts = []
  const ended = []
  for (const count of [12, 480]) {
    const ids = await tools.put(malware(`of ${count}`, count))
    counts.push(await statementsOf(() => regrouped(ids)))
    for (const [i, id] of ids.entries()) {
      if (i % 4 === 0) await sql`delete from entities where id = ${id}`.execute(corvus.db)
    }
    ended.push(await statementsOf(() => regrouped(ids)))
  }
  assert.deepEqual(counts[1], counts[0])
  assert.deepEqual(ended[1], ended[0])
  assert.ok((counts[0]?.length ?? 0) < 35, String(counts[0]?.length))
})

test('grouping what has not changed writes nothing', async () => {
  const ids = await tools.put([...malware('again', 40), { data: { type: 'report', title: 'again curlew 1' } }])
  const first = await regrouped(ids)
  assert.deepEqual([first.joined, first.left, first.groups], [20, 0, 10])
  assert.ok(first.suggestions > 0)
  const before = await tools.written()
  const result = await regrouped(ids)
  assert.deepEqual([result.judged, result.joined, result.left, result.groups, result.suggestions], [40, 0, 0, 0, 0])
  await tools.regroupAll()
  assert.deepEqual(await tools.written(), before)
})
