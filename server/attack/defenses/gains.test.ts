import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import {
  collectedIn,
  type Defended,
  defendAtRandom,
  needsOf,
  partsOf,
  readDefended,
} from '../../../test/set-up/defended.ts'

const corvus = await startApp()
after(() => corvus.stop())

interface Gain {
  readonly log_source: { readonly id: number }
  readonly analytics: number
  readonly techniques: number
  readonly threat: number
  readonly opens: readonly { id: string; name: string; nodes: string[]; threat: number }[]
}

const PLACES = ['TA0001:T1566', 'TA0001:T1566.001', 'TA0001:T1078', 'TA0003:T1078', 'TA0002:T1059.001', 'TA0040:T1486']

before(async () => {
  // The first place has six entities, the last one has one.
  const items = PLACES.flatMap((_, i) => {
    const attacks = PLACES.slice(0, i + 1)
    return [{ data: { type: 'malware', title: `Malware ${i}` }, meta: { attacks, tlp_color: 'GREEN' } }]
  })
  const { status, body } = await corvus.call('PUT', 'entities', items)
  assert.equal(status, 201, JSON.stringify(body))
})

async function gainsOf(query = '', token?: string) {
  const { status, body } = await corvus.call('GET', `attack-defenses/log-sources/gains?${query}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body))
  return body as { data: Gain[]; together: Gain | null; total_count: number; largest_score: number; matrix: string }
}

/** The score of each node as a share of the largest one. */
async function threatsOf(query: string, token?: string): Promise<ReadonlyMap<string, number>> {
  const { body } = await corvus.call('GET', `attacks/heat?${query}`, undefined, token)
  const placed = body.data.filter(({ id }: { id: string }) => id.includes(':'))
  const largest = Math.max(...placed.map(({ score }: { score: number }) => score))
  return new Map(placed.map(({ id, score }: { id: string; score: number }) => [id, score / largest]))
}

/** The analytics of each live technique of a matrix, in each of its places. */
function analyticsIn(
  defended: Defended,
  matrix: string,
  needs: ReadonlyMap<number, unknown>,
): Map<string, Set<number>> {
  const parts = partsOf(defended)
  const places = defended.techniques.filter((each) => each.matrix === matrix)
  const found = new Map(places.map(({ id }): [string, Set<number>] => [id, new Set()]))
  for (const { technique, defense, type } of defended.relationships)
    for (const part of type === 'detects' ? parts(defense) : []) if (needs.has(part)) found.get(technique)?.add(part)
  return found
}

/** What collecting log sources opens, from the analytics that are possible before and after. */
function opensIn(
  defended: Defended,
  matrix: string,
): (ids: readonly number[]) => { analytics: number; nodes: string[] } {
  const needs = needsOf(defended)
  const collected = collectedIn(defended)
  const analytics = analyticsIn(defended, matrix, needs)
  const relevant = new Set([...analytics.values()].flatMap((each) => [...each]))
  const lacking = [...needs]
    .filter(([analytic]) => relevant.has(analytic))
    .map(([analytic, needed]) => ({ analytic, lacks: [...needed].filter((id) => !collected.has(id)) }))
  const possible = new Set(lacking.filter(({ lacks }) => lacks.length === 0).map(({ analytic }) => analytic))
  const undetected = [...analytics].filter(([, own]) => own.isDisjointFrom(possible))
  return (ids) => {
    const more = new Set(ids)
    const opened = lacking.filter(({ lacks }) => lacks.length > 0 && lacks.every((id) => more.has(id)))
    const next = new Set(opened.map(({ analytic }) => analytic))
    return {
      analytics: next.size,
      nodes: next.size === 0 ? [] : undetected.filter(([, own]) => !own.isDisjointFrom(next)).map(([id]) => id),
    }
  }
}

/** What a gain has to say. */
function weigh({ analytics, nodes }: { analytics: number; nodes: string[] }, threats: ReadonlyMap<string, number>) {
  const byTechnique = Map.groupBy(nodes, (id) => id.split(':')[1] ?? '')
  const threat = [...byTechnique.values()]
    .map((places) => Math.max(...places.map((id) => threats.get(id) ?? 0)))
    .reduce((sum, each) => sum + each, 0)
  return { analytics, techniques: byTechnique.size, threat: round(threat) }
}

const round = (value: number): number => Math.round(value * 1e9) / 1e9

const numbers = ({ analytics, techniques, threat }: Gain) => ({ analytics, techniques, threat: round(threat) })

test('gains agree with what is possible before and after in plain code, whatever is collected', async () => {
  for (const [seed, matrix] of ['enterprise-attack', 'mobile-attack', 'ics-attack', 'enterprise-attack'].entries()) {
    await defendAtRandom(corvus.db, [0, 0.4, 0.2, 0.7][seed] ?? 0, seed)
    const defended = await readDefended(corvus.db)
    const opens = opensIn(defended, matrix)
    const threats = await threatsOf(`matrix=${matrix}`)
    const { data, total_count, together } = await gainsOf(`matrix=${matrix}&limit=2000`)
    assert.equal(together, null)
    assert.ok(data.length > 0, matrix)
    const missing = defended.logSources.filter(({ is_collected }) => !is_collected)
    const expected = new Map(missing.map(({ id }) => [id, weigh(opens([id]), threats)]))
    const gaining = [...expected].filter(([, { analytics }]) => analytics > 0)
    assert.equal(total_count, gaining.length)
    assert.deepEqual(new Map(data.map((gain) => [gain.log_source.id, numbers(gain)])), new Map(gaining))
  }
})

test('a set opens what its log sources open together', async () => {
  await defendAtRandom(corvus.db, 0.3, 7)
  const defended = await readDefended(corvus.db)
  const opens = opensIn(defended, 'enterprise-attack')
  const threats = await threatsOf('')
  const missing = defended.logSources.filter(({ is_collected }) => !is_collected).map(({ id }) => id)
  const more = []
  for (const step of [2, 3, 7]) {
    const ids = missing.filter((_, i) => i % step === 0).slice(0, 600)
    const { together, data } = await gainsOf(`log_sources=${ids.join(',')}&limit=2000`)
    assert.ok(together)
    assert.deepEqual(numbers(together), weigh(opens(ids), threats))
    assert.equal(data.length, ids.length, 'each is listed, also one that opens nothing')
    more.push(together.analytics - data.reduce((sum, { analytics }) => sum + analytics, 0))
  }
  assert.ok(
    more.some((count) => count > 0),
    'some analytics need several of them',
  )
})

test('log sources are ranked by the threat of what they open, which is named', async () => {
  await sql`update log_sources set is_collected = false`.execute(corvus.db)
  const { data, largest_score, matrix, total_count } = await gainsOf('limit=2000')
  assert.deepEqual([largest_score, matrix, total_count], [6, 'enterprise-attack', data.length])
  const keys = data.map(({ threat, techniques, analytics, log_source }) => [
    -threat,
    -techniques,
    -analytics,
    log_source.id,
  ])
  assert.deepEqual(
    keys,
    keys.toSorted((a, b) => a.map((key, i) => key - (b[i] ?? 0)).find((gap) => gap !== 0) ?? 0),
  )
  const [best] = data
  assert.ok(best && best.threat > 0 && best.opens.length > 0 && best.opens.length <= 10)
  assert.deepEqual(
    best.opens.map(({ threat }) => threat),
    best.opens.map(({ threat }) => threat).toSorted((a, b) => b - a),
  )
  for (const { id, nodes, name } of best.opens) {
    assert.ok(nodes.length > 0 && nodes.every((node) => node.endsWith(`:${id}`)) && name !== id, id)
  }
  assert.deepEqual((await gainsOf('limit=3')).data, data.slice(0, 3))
})

test('the threat follows the scope', async () => {
  const none = await gainsOf('query=data.title:unknown')
  assert.deepEqual([none.largest_score, none.data[0]?.threat], [0, 0])
  assert.ok((none.data[0]?.techniques ?? 0) > 0, 'without a threat, the number of techniques decides')
  assert.equal((await gainsOf('query=data.title:"Malware 3"')).largest_score, 1)
})

test('what a reader does not see changes none of their numbers', async () => {
  const reader = await corvus.tokenFor(['read attack', 'read entities'])
  const before = await gainsOf('limit=2000', reader)
  const { source } = await corvus.blindGroup('Elsewhere')
  const hidden = {
    data: { type: 'malware', title: 'Hidden' },
    meta: { attacks: ['TA0040:T1486', 'TA0002:T1047'], tlp_color: 'RED' },
  }
  const made = await corvus.call('POST', 'entities', { ...hidden, sources: [source] })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  assert.deepEqual(await gainsOf('limit=2000', reader), before)
  await sql`update entities set vis = (select vis from entities where data ->> 'title' = 'Malware 0')
    where id = ${made.body.data.id}`.execute(corvus.db)
  assert.notDeepEqual(await gainsOf('limit=2000', reader), before, 'it would change them')
})

test('every wrong parameter is named, and so are unknown log sources', async () => {
  const refusal = async (query: string) => {
    const { status, body } = await corvus.call('GET', `attack-defenses/log-sources/gains?${query}`)
    assert.equal(status, 400, JSON.stringify(body))
    return body.map(({ detail }: { detail: string }) => detail)
  }
  const all = await refusal('matrix=x&limit=0&log_sources=1,x&filter[no]=1')
  for (const name of ['matrix', 'limit', 'log_sources[1]', "'no'"])
    assert.ok(
      all.some((detail: string) => detail.startsWith(name)),
      `${name} in ${all}`,
    )
  assert.deepEqual(await refusal('log_sources='), ['log_sources: must have at least 1 item'])
  assert.deepEqual(await refusal('log_sources=999999'), ["log_sources: there is no '999999' in log_sources."])
})

test('gains need both permissions', async () => {
  const refusal = async (permissions: string[]) => {
    const token = await corvus.tokenFor(permissions)
    return (await corvus.call('GET', 'attack-defenses/log-sources/gains', undefined, token)).body[0].detail
  }
  assert.equal(await refusal(['read attack']), 'Missing permissions: [read entities]')
  assert.equal(await refusal(['read entities']), 'Missing permissions: [read attack]')
})
