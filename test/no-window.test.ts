import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { type Enrichers, finds, startEnrichers } from './set-up/enrichers.ts'
import { OBSERVERS, startObservers } from './set-up/observers.ts'
import { until } from './until.ts'

let corvus: Enrichers
before(async () => {
  corvus = await startEnrichers()
  await corvus.startProcess()
})
after(() => corvus.stop())

const ROUNDS = 3
const WAYS = ['post', 'put', 'patch', 'import', 'enriched'] as const
type Way = (typeof WAYS)[number]

/** Titles of entities, and what only entities have that a rule raises to RED. */
const WORDS = /\b(?:(?:open|secret|covert) (?:post|put|patch|import|enriched) \d+|hidden(?:\.\d+)?)\b/g
/** The titles of a round: one that everybody may see, and two that a rule raises, the second by way of another rule. */
const titlesOf = (way: Way, round: number) => ['open', 'secret', 'covert'].map((word) => `${word} ${way} ${round}`)

const report = (title: string) => ({ data: { type: 'report', title }, meta: { tlp_color: 'WHITE' } })

/** Writes entities with these titles, in one way. */
type Writer = (titles: readonly string[]) => Promise<void>

const writersOf = (enricher: { readonly id: number }): Readonly<Record<Way, Writer>> => ({
  post: async (titles) => {
    for (const title of titles) await corvus.ask('POST', 'entities', report(title))
  },
  put: async (titles) => void (await corvus.ask('PUT', 'entities', titles.map(report))),
  // The entity is public before. The colour that a person sends along does not count if the title matches.
  patch: async (titles) => {
    const made: { id: string }[] = await corvus.ask(
      'PUT',
      'entities',
      titles.map((_, i) => report(`harmless ${i}`)),
    )
    for (const [i, { id }] of made.entries())
      await corvus.ask('PATCH', `entities/${id}`, { data: { title: titles[i] }, meta: { tlp_color: 'WHITE' } })
  },
  import: async (titles) => {
    const data = Buffer.from(bundleOf(titles)).toString('base64')
    const { run } = await corvus.ask('POST', 'files', { name: 'bundle.json', data })
    assert.equal((await corvus.ended(run.split('/').at(-1))).state, 'SUCCESS')
  },
  enriched: async (titles) => {
    const { id } = await corvus.observable(`host-${titles[0]?.replaceAll(' ', '-')}.example`)
    const found = titles.map((title) => ({ kind: 'entity', type: 'malware', id: title, title }))
    corvus.source.answers('/window', finds(...found))
    const run = await corvus.ended(await corvus.run({ enrichers: [enricher.id], observables: [id] }))
    assert.partialDeepStrictEqual(run, { state: 'SUCCESS', result: { found: 1 } })
  },
})

/** Gives public entities what a rule reads: an observable by a relation path, and a tag by a query. Returns their ids. */
async function mark(round: number): Promise<string[]> {
  const titles = ['linked', 'tagged'].map((how) => `harmless ${how} ${round}`)
  const made: { id: string }[] = await corvus.ask('PUT', 'entities', titles.map(report))
  const [linked, tagged] = made.map(({ id }) => id)
  await corvus.ask('POST', `entities/${linked}/observables`, [{ type: 'domain', value: `hidden.${round}.example` }])
  const change = { entities_query: `id:${tagged}`, added_tags: ['hidden'] }
  const { task_run } = await corvus.ask('POST', 'entities/by-query/update', change)
  assert.partialDeepStrictEqual(await corvus.ended(task_run.split('/').at(-1)), { result: { changed: 1 } })
  return made.map(({ id }) => id)
}

const TIME = '2024-01-01T00:00:00.000Z'
const TLP_WHITE = 'marking-definition--613f2e26-407d-48c7-9eca-b8e91df99dc9'

const bundleOf = (titles: readonly string[]): string =>
  JSON.stringify({
    type: 'bundle',
    id: `bundle--${randomUUID()}`,
    objects: titles.map((name) => ({
      type: 'malware',
      spec_version: '2.1',
      id: `malware--${randomUUID()}`,
      created: TIME,
      modified: TIME,
      name,
      is_family: false,
      object_marking_refs: [TLP_WHITE],
    })),
  })

test('no reader, stream, webhook, feed or TAXII client ever gets an entity below the colour that rules give it, whatever the way in', async () => {
  const rule = (name: string, more: object) => corvus.ask('POST', 'entities/rules', { name, is_active: true, ...more })
  const raise = (tlp: string) => ({ actions: ['override_tlp'], override_tlp: tlp })
  await rule('Raise', { ...raise('AMBER'), content_criteria: 'data.title:secret' })
  await rule('Raise what is marked', { ...raise('RED'), content_criteria: 'tags:hidden OR extracts.value:hidden*' })
  await rule('Mark', { actions: ['add_tags'], add_tags: ['hidden'], content_criteria: 'data.title:covert' })

  const enricher = await corvus.enricher({ name: 'window', tlp_color: 'GREEN' })
  const [{ source }] = await corvus.ask('GET', 'groups?filter[name]=Default')
  const upToGreen = [source, enricher.source].map((each) => `${each}?allowed_tlp=GREEN`)
  const { token } = await corvus.personIn('Observers', 'all', upToGreen)
  const search_query = 'data.title:(harmless OR open OR secret OR covert)'
  const dataset = await corvus.ask('POST', 'datasets', { name: 'All', workspaces: [1], search_query })

  const seen = new Map<string, Set<string>>(OBSERVERS.map((name) => [name, new Set()]))
  const observers = await startObservers(corvus, token, dataset.id, (observer, text) => {
    for (const [word] of text.matchAll(WORDS)) seen.get(observer)?.add(word)
  })
  const writers = writersOf(enricher)
  const marked: string[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    const [ids] = await Promise.all([mark(round), ...WAYS.map((way) => writers[way](titlesOf(way, round)))])
    marked.push(...ids)
  }
  const missing = () =>
    OBSERVERS.flatMap((name) =>
      WAYS.filter((way) => !seen.get(name)?.has(`open ${way} ${ROUNDS}`)).map((way) => `${name}: ${way}`),
    )
  await until(() => missing().length === 0, 'an observer sees nothing').catch(() => assert.deepEqual(missing(), []))
  await observers.stop()

  const below = [...seen].flatMap(([name, words]) =>
    [...words].filter((word) => !word.startsWith('open')).map((word) => `${name}: ${word}`),
  )
  assert.deepEqual(below, [])
  for (const id of marked) assert.equal((await corvus.ask('GET', `entities/${id}`)).meta.tlp_color, 'RED')
  const hidden: { data: { title: string }; meta: { tlp_color: string } }[] = await corvus.ask(
    'GET',
    'entities?query=data.title:(secret OR covert)&limit=100',
  )
  const expected = WAYS.flatMap((way) =>
    Array.from({ length: ROUNDS }, (_, i) => titlesOf(way, i + 1).slice(1)).flatMap(([secret, covert]) => [
      `${secret} AMBER`,
      `${covert} RED`,
    ]),
  )
  assert.deepEqual(hidden.map(({ data, meta }) => `${data.title} ${meta.tlp_color}`).sort(), expected.sort())
})
