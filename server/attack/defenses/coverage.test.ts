import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createDatabase } from '../../../test/database.ts'
import { coverageIn, defendAtRandom, readDefended } from '../../../test/set-up/defended.ts'
import { type Coverage, coverage, shareOf } from './coverage.ts'

const { db, drop } = await createDatabase()
after(drop)

const read = async (matrix: string | null = null): Promise<Coverage[]> =>
  (await sql<Coverage>`select * from (${coverage(matrix)}) as c order by technique`.execute(db)).rows

const byTechnique = (rows: readonly Coverage[]) => new Map(rows.map((row) => [row.technique, row]))

test('nothing is covered on a new server, and every placed technique says what is missing', async () => {
  const rows = await read()
  assert.deepEqual([...new Set(rows.map(({ share }) => share))], [0])
  assert.equal(rows.length, 887 + 144 + 94 + 391)
  const phishing = byTechnique(rows).get('TA0001:T1566')
  assert.ok(
    phishing && phishing.mitigations > 0 && phishing.detections === 1 && phishing.missing_log_sources.length > 0,
  )
})

test('the coverage of every technique agrees with a computation in plain code, whatever is collected and built', async () => {
  for (const [seed, share] of [0.1, 0.5, 0.9, 1].entries()) {
    await defendAtRandom(db, share, seed)
    const expected = byTechnique(coverageIn(await readDefended(db)))
    assert.deepEqual(byTechnique(await read()), new Map([...expected].sort()))
  }
})

test('the coverage of one matrix has its techniques alone', async () => {
  assert.equal((await read('ics-attack')).length, 94)
  const all = byTechnique(await read())
  for (const row of await read('mobile-attack')) assert.deepEqual(row, all.get(row.technique))
})

test('a technique is covered as well as its best defense, or by half if it can be detected', () => {
  assert.deepEqual([shareOf(0, false), shareOf(1, true), shareOf(3, true), shareOf(4, false)], [0, 0.5, 0.75, 1])
})
