import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { consolidating } from '../../../test/set-up/consolidation.ts'
import { assignTogether, separate } from './manual.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
let tools: ReturnType<typeof consolidating>
let user: number
let sources: string[] = []
before(async () => {
  corvus = await startApp()
  tools = consolidating(corvus)
  user = (await corvus.call('GET', 'users/self')).body.data.id
  sources = [await tools.source('One'), await tools.source('Two')]
})
after(() => corvus.stop())

/** What a unified entity adds for good: what happened, words, and keys that nothing has any more. */
const LASTING = [
  'changes',
  'entity_versions',
  'consolidation_events',
  'consolidation_exemptions',
  'composites',
  'dictionary',
  'words',
  'audit_trail',
  'tokens',
  'users',
  'observable_seen',
]

/** All rows of all other tables. */
async function world(): Promise<Record<string, unknown>> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' and table_name <> all(${LASTING}::text[])
    order by 1`.execute(corvus.db)
  const found: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sql.table(name)} as t order by 1`.execute(corvus.db)
    found[name] = rows.map(({ row }) => row)
  }
  return found
}

const joinable = (n: number, title: string, value: string) => ({
  data: {
    type: 'infrastructure',
    title,
    description: `Seen at ${value}`,
    aliases: [`also ${n}`],
  },
  meta: { tags: [`tag ${n}`], tlp_color: 'GREEN' },
  observables: [{ type: 'domain', value }],
  sources: [sources[n % 2]],
})

test('joining entities and taking them apart leaves everything else as it was', async () => {
  const ids = await tools.put([
    joinable(1, 'Redshank', 'redshank.example'),
    joinable(2, 'Greenshank', 'greenshank.example'),
    joinable(3, 'Turnstone', 'redshank.example'),
  ])
  const before = await world()
  await tools.inside((ctx) => assignTogether(ctx, ids), user)
  const [unified] = await tools.unified()
  assert.equal(unified?.contributors.length, 3)
  assert.notDeepEqual(await world(), before)
  await tools.inside((ctx) => separate(ctx, ids.slice(0, 1)), user)
  await tools.inside((ctx) => separate(ctx, ids.slice(1)), user)
  assert.deepEqual(await world(), before)
})

test('what a policy joined and a user took apart is as it was once the policy is gone', async () => {
  const ids = await tools.put([joinable(4, 'Avocet', 'avocet.example'), joinable(5, 'avocet', 'stilt.example')])
  const before = await world()
  const policy = await tools.policy(['infrastructure'])
  await tools.regroupAll()
  assert.equal((await tools.unified()).length, 1)
  await tools.inside((ctx) => separate(ctx, ids), user)
  assert.deepEqual(await tools.unified(), [])
  await sql`delete from consolidation_rules where id = ${policy}`.execute(corvus.db)
  await tools.regroupAll()
  assert.deepEqual(await world(), before)
})
