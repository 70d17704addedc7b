import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { effort, isTurnOf } from '../../../test/effort.ts'
import { hostileAnswers } from '../../../test/nlp-to-search/hostile-answers.ts'
import { QUESTIONS } from '../../../test/nlp-to-search/questions.ts'
import { type Seen, ZONE } from '../../../test/nlp-to-search/seen.ts'
import { useProvider } from '../../../test/set-up/ai.ts'
import { corvus, done } from '../../../test/set-up/by-query.ts'
import { startScriptedProvider } from '../../../test/set-up/scripted-provider.ts'
import { chanceOf } from '../../../test/visibility/chance.ts'
import type { Query } from '../../search/query/ast.ts'
import { parseQuery } from '../../search/query/parse.ts'

const ENTITIES = 300
const HOSTILE = effort(200, 50)
/** A third of the questions in a usual run, other ones each day. */
const ASKED = QUESTIONS.filter((_, i) => isTurnOf(i))
const AT_ONCE = 6
const NODES = ['TA0001', 'TA0001:T1566', 'TA0001:T1566.001', 'TA0002:T1059.001', 'TA0040:T1486']

const provider = await startScriptedProvider()
after(() => provider.stop())
let all: readonly Seen[] = []

before(async () => {
  await done('demo-data', { count: ENTITIES })
  await useProvider(corvus, provider, ['nlp_to_search'], { max_tlp: 'RED' })
  await corvus.call('PATCH', 'configurations/server', { data: { timezone: ZONE } })
  const { body } = await corvus.call('GET', 'entities?limit=2000&attributes=id')
  const ids: string[] = body.data.map(({ id }: { id: string }) => id)
  // Not at the edges of hours, so that the answer does not change while the test runs.
  await sql`
    update entities as e set created_at = now() - (7 * i.n + 0.5) * interval '1 hour'
    from unnest(${ids}::uuid[]) with ordinality as i(id, n) where e.id = i.id`.execute(corvus.db)
  const classified = ids.slice(0, 60).map((id, i) => ({
    id,
    meta: { attacks: [NODES[i % NODES.length], ...(i % 7 === 0 ? ['TA0040:T1486'] : [])] },
  }))
  const changed = await Promise.all(
    classified.map(({ id, meta }) => corvus.call('PATCH', `entities/${id}`, { data: { meta } })),
  )
  assert.deepEqual([...new Set(changed.map(({ status }) => status))], [200])
  all = await readEntities()
})

async function readEntities(): Promise<Seen[]> {
  const lists = await Promise.all(
    ['entities', 'observables', 'taxonomies'].map((path) => corvus.call('GET', `${path}?limit=2000`)),
  )
  const [entities, observables, taxonomies] = lists.map(({ body }) => body.data)
  const last = (url: string) => url.slice(url.lastIndexOf('/') + 1)
  const byId = new Map(observables.map((each: { id: number }) => [String(each.id), each]))
  const paths = new Map(
    taxonomies.map((each: { id: number; path: string[] }) => [String(each.id), each.path.join('/')]),
  )
  // biome-ignore lint/suspicious/noExplicitAny: an entity of any type
  return entities.map((entity: any) => ({
    id: entity.id,
    type: entity.data.type,
    title: entity.data.title,
    text: entity.data.description,
    tags: entity.meta.tags,
    taxonomies: entity.meta.taxonomies.map((url: string) => paths.get(last(String(url)))),
    attacks: entity.meta.attacks.map((url: string) => decodeURIComponent(last(url))),
    observables: entity.observables.map((url: string) => byId.get(last(url))),
    data: entity.data,
    meta: entity.meta,
    created: Date.parse(entity.created_at),
  }))
}

/** Asks questions, several at a time; `answers` are what the model says to them, in their order. */
async function askAll<T>(
  questions: readonly string[],
  answers: readonly string[],
  // biome-ignore lint/suspicious/noExplicitAny: a response
  check: (n: number, response: { status: number; body: any }) => Promise<T>,
): Promise<T[]> {
  provider.says(({ text }) => answers[Number(/ (\d+)\. question: /.exec(text)?.[1])] ?? '')
  const checked: T[] = []
  const waiting = questions.entries()
  const work = async () => {
    for (const [n, question] of waiting) {
      const data = { query: `${n}. question: ${question}` }
      checked[n] = await check(n, await corvus.call('POST', 'ai/nlp-to-search', { data }))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return checked
}

const run = (query: string) =>
  corvus.call('GET', `entities?limit=2000&attributes=id&query=${encodeURIComponent(query)}`)

test('questions about demo data find exactly what they mean', async () => {
  assert.equal(all.length, ENTITIES)
  const questions = ASKED.map(({ question }) => question)
  const answers = ASKED.map(({ answer }) => JSON.stringify(answer))
  const wrong = await askAll(questions, answers, async (n, { status, body }) => {
    assert.equal(status, 200, `${questions[n]}: ${JSON.stringify(body)}`)
    const { query, total_count, dropped, explanation } = body.data
    const found: { id: string }[] = query === null ? [] : (await run(query)).body.data
    const meant = all.filter((each) => ASKED[n]?.expected(each)).map(({ id }) => id)
    const isSame = new Set(found.map(({ id }) => id)).symmetricDifference(new Set(meant)).size === 0
    const isTold = explanation.startsWith('Finds entities where') && dropped.length === 0
    if (isSame && isTold && total_count === meant.length) return []
    return [`${questions[n]}: ${query} found ${total_count} of ${meant.length} ${JSON.stringify(dropped)}`]
  })
  assert.deepEqual(wrong.flat(), [])
  const telling = QUESTIONS.filter(({ expected }) => all.some(expected) && !all.every(expected)).length
  assert.ok(QUESTIONS.length >= 150 && telling >= 140, `${telling} of ${QUESTIONS.length} questions tell something`)
})

test('whatever a model answers, the query runs, looks for nothing else, and what is wrong is reported', async () => {
  const hostile = hostileAnswers(chanceOf(29), HOSTILE)
  const questions = hostile.map(() => 'anything')
  const answers = hostile.map(({ said }) => said)
  const queries = await askAll(questions, answers, async (n, { status, body }) => {
    const { said = '', marks = [] } = hostile[n] ?? {}
    assert.ok(status === 200 || status === 424, `${status} ${JSON.stringify(body)} for ${said.slice(0, 500)}`)
    if (status === 424) return 0
    const { query, total_count, dropped } = body.data
    const isReported = (mark: string) => dropped.some(({ clause }: { clause: string }) => clause.includes(mark))
    assert.deepEqual(
      marks.filter((mark) => !isReported(mark)),
      [],
      `${JSON.stringify(dropped)} for ${said.slice(0, 1000)}`,
    )
    if (query === null) {
      assert.equal(total_count, null)
      return 0
    }
    const found = await run(query)
    assert.equal(found.status, 200, `${query}: ${JSON.stringify(found.body)}`)
    assert.equal(found.body.total_count, total_count, query)
    const { fields, kinds } = partsOf(parseQuery(query))
    assert.ok(!kinds.has('all') && !kinds.has('regexp') && !kinds.has('boost'), query)
    assert.ok(![...fields].some((field) => field?.includes('zz')), query)
    return 1
  })
  const count = queries.reduce((sum: number, each) => sum + each, 0)
  assert.ok(count > HOSTILE / 4, `${count} of ${HOSTILE} answers made a query`)
})

function partsOf(query: Query, fields = new Set<string | null>(), kinds = new Set<string>()) {
  kinds.add(query.kind)
  if ('field' in query) fields.add(query.field)
  if (query.kind === 'bool') for (const clause of query.clauses) partsOf(clause.query, fields, kinds)
  if (query.kind === 'boost') partsOf(query.query, fields, kinds)
  return { fields, kinds }
}
