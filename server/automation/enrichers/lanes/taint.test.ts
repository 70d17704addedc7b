import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { effort } from '../../../../test/effort.ts'
import { COLOURS, type Moment, readMoment } from '../../../../test/set-up/disclosure-oracle.ts'
import { type Enrichers, finds, startEnrichers, status } from '../../../../test/set-up/enrichers.ts'
import { spellingIn } from '../../../../test/set-up/spellings.ts'
import { until } from '../../../../test/until.ts'
import { type Chance, chanceOf } from '../../../../test/visibility/chance.ts'

const HISTORIES = effort(40, 3)
const PHASES = 4
const { TAINT_SEED: single } = process.env

const PERMISSIONS = [
  'read entities',
  'modify entities',
  'read extracts',
  'modify extracts',
  'read enrichers',
  'modify enrichers',
  'read enrichments',
  'modify enrichments',
  'read tasks',
  'modify tasks',
]

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

type Person = Awaited<ReturnType<Enrichers['personIn']>>

interface Value {
  readonly type: string
  readonly value: string
  /** A part of the value that occurs in no other. */
  readonly label: string
}

/** One random history: what exists, and what happened since the last check. */
interface History {
  readonly chance: Chance
  readonly people: readonly Person[]
  readonly enrichers: readonly {
    readonly id: number
    readonly name: string
    readonly task: string
    readonly source: string
  }[]
  readonly values: readonly Value[]
  readonly entities: { readonly id: string; readonly by: Person }[]
  readonly lists: { readonly id: number; isActive: boolean }[]
  /** Who asked for what, at any time: `user value`. */
  readonly asked: Set<string>
  /** Values that users typed into the test of an enricher: `user value`. */
  readonly typed: Set<string>
  readonly moments: Moment[]
}

const ZONES = ['north', 'south']

async function begin(seed: number): Promise<History> {
  const chance = chanceOf(seed)
  const word = () => Array.from({ length: 12 }, () => 'abcdefghijklmnopqrstuvwxyz'[chance.below(26)]).join('')
  const people: Person[] = []
  for (const name of ['one', 'two', 'three']) people.push(await corvus.personIn(`${name} of ${seed}`, PERMISSIONS, []))
  const enrichers = []
  for (const name of ['strict', 'open']) {
    const max_tlp = name === 'strict' ? 'GREEN' : chance.pick(['WHITE', 'AMBER', null])
    enrichers.push(await corvus.enricher({ name: `${name}_${seed}`, max_tlp, concurrency: 4, cache_validity: 3600 }))
  }
  for (const { name } of enrichers) {
    const verdict = finds(
      { kind: 'verdict', maliciousness: 'high' },
      { kind: 'entity', type: 'malware', id: name, title: name },
    )
    corvus.source.answers(`/${name}`, chance.pick([verdict, status(404)]))
  }
  const values = Array.from({ length: 8 }, (_, i): Value => {
    const label = word()
    const host = `${label}.${ZONES[i % 2]}${seed}.example`
    return i % 3 === 2 ? { type: 'uri', value: `https://${host}/path`, label } : { type: 'domain', value: host, label }
  })
  return { chance, people, enrichers, values, entities: [], lists: [], asked: new Set(), typed: new Set(), moments: [] }
}

const sourceIdOf = (url: string) => url.split('/').at(-1) ?? ''

/** What may happen while look-ups are queued, and while they are made. */
const CHANGES: readonly ((history: History, seed: number) => Promise<void>)[] = [
  async ({ chance, people, values, entities }) => {
    const by = chance.pick(people)
    const entity = {
      data: { type: 'report', title: 'Report' },
      meta: { tlp_color: chance.pick(['WHITE', 'GREEN', 'GREEN', 'AMBER', 'RED']), tags: ['taint'] },
      observables: chance.some(values, 0.4).map(({ type, value }) => ({ type, value })),
    }
    const { status: code, body } = await corvus.call('POST', 'entities', { data: entity }, by.token)
    if (code < 300) entities.push({ id: body.data.id, by })
  },
  async ({ chance, entities }) => {
    if (entities.length === 0) return
    const { id, by } = chance.pick(entities)
    await corvus.call(
      'PATCH',
      `entities/${id}`,
      { data: { meta: { tlp_color: chance.pick(COLOURS.slice(1)) } } },
      by.token,
    )
  },
  async ({ chance, values, lists }, seed) => {
    const known = lists.length > 0 && chance.flip() ? chance.pick(lists) : undefined
    if (known) {
      known.isActive = !known.isActive
      await corvus.ask('PATCH', `exclusion-lists/${known.id}`, { is_active: known.isActive })
      return
    }
    const entry = chance.flip(0.3) ? `${chance.pick(ZONES)}${seed}.example` : chance.pick(values).value
    const name = `${seed} ${lists.length}`
    const made = await corvus.ask('POST', 'exclusion-lists', {
      name,
      entries: [entry],
      types: chance.pick([[], ['domain']]),
    })
    lists.push({ id: made.id, isActive: true })
  },
  async ({ chance, people, enrichers }) => {
    const { group } = chance.pick(people)
    const others = [...people.map((each) => each.group.source), ...enrichers.map(({ source }) => source)]
    const sources = chance.some(others, 0.5).map((url) => `${sourceIdOf(url)}?allowed_tlp=${chance.pick(COLOURS)}`)
    if (chance.flip(0.7)) sources.push(`${sourceIdOf(group.source)}?allowed_tlp=RED`)
    await corvus.ask('PATCH', `groups/${group.id}`, { sources })
  },
  async ({ chance, enrichers }) => {
    const { id } = chance.pick(enrichers)
    // Not over the API, because saving an enricher lets its queue run.
    await corvus.pool.query('update enrichers set max_tlp = $2 where id = $1', [
      id,
      chance.pick([...COLOURS.slice(1), null]),
    ])
  },
  async ({ chance, people }) => {
    // Most are active most of the time.
    const { id } = chance.pick(people)
    await corvus.pool.query(`update users set is_active = not is_active or ${chance.flip(0.7)} where id = $1`, [id])
  },
]

/** The ways to ask for look-ups. A user who may not ask at present is refused, which is not what this is about. */
const REQUESTS: readonly ((history: History) => Promise<void>)[] = [
  async ({ chance, people, enrichers, values, asked }) => {
    const { id, token } = chance.pick(people)
    const wanted = chance.some(values, 0.6)
    for (const { value } of wanted) asked.add(`${id} ${value}`)
    const { rows } = await corvus.pool.query('select id from observables where value = any($1)', [
      wanted.map(({ value }) => value),
    ])
    const observables = rows.map((row) => row.id)
    const body = { enrichers: enrichers.map((each) => each.id), observables, force: chance.flip() }
    await corvus.call('POST', 'enrichers/batch-run', { data: body }, token)
  },
  async ({ chance, people, enrichers, values, asked }) => {
    const { id, token } = chance.pick(people)
    for (const { value } of values) asked.add(`${id} ${value}`)
    const body = { enrichers: [chance.pick(enrichers).id], entities_query: 'tags:taint', force: chance.flip() }
    await corvus.call('POST', 'entities/by-query/enrich', { data: body }, token)
  },
  async ({ chance, people, enrichers, values, asked }) => {
    const { id, token } = chance.pick(people)
    for (const { value } of values) asked.add(`${id} ${value}`)
    await corvus.pool.query(`update enrichments set expires_at = now() where expires_at > now()`)
    await corvus.call('POST', 'tasks/runs', { data: { task: chance.pick(enrichers).task } }, token)
  },
]

/** One real call outside the queue. */
async function tryOut({ chance, people, enrichers, values, typed }: History): Promise<void> {
  const { id, token } = chance.pick(people)
  const { type, value } = chance.pick(values)
  typed.add(`${id} ${value}`)
  await corvus.call('POST', `enrichers/${chance.pick(enrichers).id}/test`, { data: { type, value } }, token)
}

const pause = (ids: readonly number[], isPaused: boolean) =>
  corvus.pool.query(
    `update enrichers set waits_until = case when $2 then now() + interval '10 minutes' end where id = any($1)`,
    [ids, isPaused],
  )

/** Waits until every run has either ended or filled its queue. */
const queued = () =>
  until(async () => {
    const { rows } = await corvus.pool.query(`select from task_runs where ended_at is null and not is_waiting limit 1`)
    return rows.length === 0
  }, 'a run does not fill its queue')

const drained = () =>
  until(async () => {
    const { rows } = await corvus.pool.query(`
      select from task_runs where ended_at is null union all select from enrichment_requests limit 1`)
    return rows.length === 0
  }, 'the queue is not empty')

/** Whether a value could be sent to an enricher at one of the moments since the last check. */
const couldBeSent = ({ people, asked, typed, moments }: History, enricher: number, { type, value }: Value): boolean =>
  moments.some(
    (moment) =>
      !moment.isExcluded(type, value) &&
      people.some(({ id }) => {
        const rank = moment.rankOf(id, value)
        const isLow = rank === undefined || rank <= moment.ceilingOf(enricher)
        if (typed.has(`${id} ${value}`) && isLow) return true
        return asked.has(`${id} ${value}`) && rank !== undefined && isLow
      }),
  )

/** Checks all bytes that the services received since the last check; returns how many values they may have received, and did. */
function check(history: History, from: number, where: string): { sent: number; withheld: number } {
  const calls = corvus.source.calls.slice(from)
  let [sent, withheld] = [0, 0]
  for (const { id, name } of history.enrichers) {
    const received = calls.filter(({ path }) => path === `/${name}`)
    for (const value of history.values) {
      if (couldBeSent(history, id, value)) {
        sent += received.filter((call) => call.value === value.value).length
        continue
      }
      withheld++
      for (const { raw, path, headers } of received) {
        const bytes = `${path}\n${JSON.stringify(headers)}\n${raw}`
        for (const text of [value.value, value.label]) {
          const form = spellingIn(bytes, text)
          assert.equal(form, undefined, `${where}: '${name}' received '${value.value}' as '${form}'`)
        }
      }
    }
  }
  return { sent, withheld }
}

async function live(seed: number): Promise<{ sent: number; withheld: number }> {
  const history = await begin(seed)
  const { chance, enrichers } = history
  const ids = enrichers.map(({ id }) => id)
  const total = { sent: 0, withheld: 0 }
  const change = async () => {
    await chance.pick(CHANGES)(history, seed)
    history.moments.push(await readMoment(corvus))
  }
  for (let i = 0; i < 3; i++) await CHANGES[0]?.(history, seed)
  for (let phase = 0; phase < PHASES; phase++) {
    const from = corvus.source.calls.length
    await pause(ids, true)
    for (let i = 0; i < 3; i++) await change()
    for (let i = 0; i < 3; i++) await chance.pick(REQUESTS)(history)
    await queued()
    // What was possible before these changes no longer is.
    for (let i = 0; i < 3; i++) await change()
    history.moments.splice(0, history.moments.length - 1)
    history.typed.clear()
    await pause(ids, false)
    if (chance.flip()) await tryOut(history)
    if (chance.flip()) await change()
    await pause(ids, false)
    await drained()
    history.moments.push(await readMoment(corvus))
    const { sent, withheld } = check(history, from, `seed ${seed}, phase ${phase}`)
    total.sent += sent
    total.withheld += withheld
  }
  // Later histories are not about these people.
  await corvus.pool.query('update exclusion_lists set is_active = false')
  return total
}

test('no byte that a service receives has a value that is confidential, excluded or invisible to the user who asked', async (t) => {
  const first = Date.now() % 2 ** 31
  const seeds = single === undefined ? Array.from({ length: HISTORIES }, (_, i) => first + i) : [Number(single)]
  t.diagnostic(`seeds ${seeds[0]} to ${seeds.at(-1)}; TAINT_SEED=… repeats a single one`)
  const total = { sent: 0, withheld: 0 }
  for (const seed of seeds) {
    const { sent, withheld } = await live(seed)
    total.sent += sent
    total.withheld += withheld
  }
  t.diagnostic(`${total.sent} values were sent, ${total.withheld} were not to be sent`)
  assert.ok(total.sent > seeds.length && total.withheld > seeds.length, 'the histories prove nothing')
})
