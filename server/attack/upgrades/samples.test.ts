import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { isThorough } from '../../../test/effort.ts'
import { SAMPLES, skipWithoutSamples } from '../../../test/sample-files.ts'
import { classified, corvus, frameworkTables, loadBundle, undo } from '../../../test/set-up/frameworks.ts'

const MATRICES = isThorough ? ['enterprise-attack', 'mobile-attack', 'ics-attack'] : ['ics-attack']

const sample = (matrix: string, version: string): Buffer =>
  brotliDecompressSync(readFileSync(join(SAMPLES, 'attack-versions', `${matrix}-${version}.json.br`)))

/** Classifies one entity with each live node. */
async function classifyAll(matrix: string): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select id from attack_nodes where matrix = ${matrix} and state = 'live' order by id`.execute(corvus.db)
  for (let from = 0; from < rows.length; from += 200) {
    const data = rows
      .slice(from, from + 200)
      .map(({ id }) => ({ data: { type: 'report', title: id }, meta: { attacks: [id] } }))
    assert.equal((await corvus.call('PUT', 'entities', { data })).status, 201)
  }
}

/** The entities whose nodes do not exist, or could be replaced. */
async function lost(): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count
    from entities as t left join attack_nodes as n on n.id = any(t.attacks)
    where n.id is null or (n.state <> 'live' and cardinality(n.successors) = 1)`.execute(corvus.db)
  return rows[0]?.count ?? -1
}

for (const matrix of MATRICES)
  test(`${matrix} 16.1, 17.1 and 18.1 are loaded over each other, and back`, { skip: skipWithoutSamples }, async () => {
    const first = await loadBundle(sample(matrix, '16.1'), '16.1')
    assert.equal(first.is_downgrade, true)
    await classifyAll(matrix)
    const states = [{ tables: await frameworkTables(), entities: await classified() }]
    const loads: number[] = []
    for (const version of ['17.1', '18.1']) {
      const loaded = await loadBundle(sample(matrix, version), version)
      assert.equal(loaded.version, version)
      assert.equal(await lost(), 0)
      states.push({ tables: await frameworkTables(), entities: await classified() })
      loads.push(loaded.id)
    }
    for (const [i, id] of loads.entries().toArray().reverse()) {
      assert.equal((await undo(id)).status, 200)
      assert.deepEqual(await frameworkTables(), states[i]?.tables)
      assert.equal(await classified(), states[i]?.entities)
    }
    assert.equal((await undo(first.id)).status, 200)
  })
