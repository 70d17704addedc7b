import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startApp } from '../../../test/app.ts'
import { type Group, type Made, unifying } from '../../../test/set-up/exported-unified.ts'
import { assertValid, findingsOf, isWithoutValidator } from '../../../test/stix-round-trip.ts'

type Item = Record<string, unknown>
// biome-ignore lint/suspicious/noExplicitAny: tests read documents of every shape
type Json = Record<string, any>

const STIX = 'urn:oasis:stix:json:2.1'
const JSON_3 = 'urn:eclecticiq.com:json:3.2'
const JSON_2 = 'urn:eclecticiq.com:json:2.0'

let corvus: Awaited<ReturnType<typeof startApp>>
let world: ReturnType<typeof unifying>
let home: Group
let north: Group
let south: Group
let actors: { readonly one: Made; readonly two: Made; readonly both: Made }
let tools: { readonly one: Made; readonly two: Made; readonly both: Made }
let report: Made
let everything: readonly Made[]

const observable = (value: string) => ({ observables: [{ type: 'domain', value }] })

before(async () => {
  corvus = await startApp()
  world = unifying(corvus)
  home = await world.makeGroup('Home')
  north = await world.makeGroup('North')
  south = await world.makeGroup('South')
  const actor = 'threat-actor'
  actors = {
    one: await world.entity(north, actor, 'Sand Cat', observable('one.example')),
    two: await world.entity(south, actor, 'Desert Cat', observable('two.example')),
    both: await world.entity(home, actor, 'Unified Cat', {
      observables: [observable('one.example'), observable('two.example')].flatMap((each) => each.observables),
    }),
  }
  tools = {
    one: await world.entity(north, 'malware', 'Claw'),
    two: await world.entity(south, 'malware', 'Claw'),
    both: await world.entity(home, 'malware', 'Unified Claw'),
  }
  report = await world.entity(north, 'report', 'Cats')
  const { relate } = world
  await relate(actors.one, 'uses', tools.one, north, { description: 'first' })
  await relate(actors.two, 'uses', tools.two, south, { description: 'second' })
  await relate(actors.one, 'related-to', actors.two, north)
  await relate(actors.two, 'related-to', report, south)
  await relate(report, 'related-to', tools.two, north)
  for (const { one, two, both } of [actors, tools]) await world.join(both, [one, two])
  everything = [...Object.values(actors), ...Object.values(tools), report]
})
after(() => corvus.stop())

async function exported(selected: readonly Made[], configuration: Item = {}, type = STIX, token = corvus.admin) {
  const search = new URLSearchParams({ content_type: type, content_configuration: JSON.stringify(configuration) })
  for (const { id } of selected) search.append('filter[id]', id)
  const { status, body } = await corvus.call('GET', `entities/export?${search}`, undefined, token)
  assert.equal(status, 200, JSON.stringify(body).slice(0, 500))
  return body as Json
}

const unified = { consolidation: 'unified' }
const all = { consolidation: 'all' }

/** The names of what a bundle has, and its relationships between these names. */
function namesIn({ objects = [] }: Json) {
  const named = new Map<string, string>(
    objects.flatMap(({ id, name }: Json) =>
      name && !/^(identity|marking-definition|extension-definition)--/.test(id) ? [[id, name]] : [],
    ),
  )
  const ends = objects.filter(({ type }: Json) => type === 'relationship')
  const relationships: string[] = ends.flatMap(({ source_ref, relationship_type, target_ref }: Json) =>
    named.has(source_ref) && named.has(target_ref)
      ? [`${named.get(source_ref)} ${relationship_type} ${named.get(target_ref)}`]
      : [],
  )
  return { names: [...named.values()].sort(), relationships: relationships.sort() }
}

const titlesOf = async (selected: readonly Made[], configuration: Item = {}, token = corvus.admin) => {
  const { entities } = await exported(selected, configuration, JSON_3, token)
  return entities.map(({ data }: Json) => data.title).sort()
}

test('by default, contributors are exported, and nothing mentions their unified entities', async () => {
  const bundle = await exported(everything)
  assert.deepEqual(namesIn(bundle), {
    names: ['Cats', 'Claw', 'Claw', 'Desert Cat', 'Sand Cat'],
    relationships: [
      'Cats related-to Claw',
      'Desert Cat related-to Cats',
      'Desert Cat uses Claw',
      'Sand Cat related-to Desert Cat',
      'Sand Cat uses Claw',
    ],
  })
  assert.deepEqual(await titlesOf([actors.both]), ['Desert Cat', 'Sand Cat'])
  for (const type of [STIX, JSON_3, JSON_2]) {
    const text = JSON.stringify(await exported(everything, {}, type))
    assert.ok(!text.includes(actors.both.data.id.slice(-36)), type)
  }
})

test('a unified entity stands for its contributors, with their relationships and observables', async () => {
  const bundle = await exported(everything, unified)
  assert.deepEqual(namesIn(bundle), {
    names: ['Cats', 'Unified Cat', 'Unified Claw'],
    relationships: ['Cats related-to Unified Claw', 'Unified Cat related-to Cats', 'Unified Cat uses Unified Claw'],
  })
  const domains = bundle.objects.flatMap(({ type, value }: Json) => (type === 'domain-name' ? [value] : []))
  assert.deepEqual(domains.sort(), ['one.example', 'two.example'])
  const uses = bundle.objects.find(({ relationship_type }: Json) => relationship_type === 'uses')
  assert.equal(uses.description, 'first')
})

test('what stands for a contributor is the same whichever of the group is selected', async () => {
  for (const selected of [[actors.one], [actors.two], [actors.both], Object.values(actors)])
    assert.deepEqual(await titlesOf(selected, unified), ['Unified Cat'])
})

test('all has both, and each unified entity is derived from its contributors', async () => {
  const bundle = await exported(everything, all)
  const { names, relationships } = namesIn(bundle)
  assert.equal(names.length, 7)
  assert.deepEqual(
    relationships.filter((each) => each.includes('derived-from')),
    [
      'Unified Cat derived-from Desert Cat',
      'Unified Cat derived-from Sand Cat',
      'Unified Claw derived-from Claw',
      'Unified Claw derived-from Claw',
    ],
  )
  assert.equal(relationships.length, 9)
  const { relationships: none } = namesIn(await exported(everything, { ...all, relationships: ['uses'] }))
  assert.deepEqual(none, ['Desert Cat uses Claw', 'Sand Cat uses Claw'])
  const { relationships: known } = await exported(everything, all, JSON_3)
  assert.equal(known.filter(({ data }: Json) => data.key === 'derived-from').length, 4)
})

test('the ids and versions of all relationships are the same in every export', async () => {
  for (const configuration of [unified, all]) {
    const [first, second] = [await exported(everything, configuration), await exported(everything, configuration)]
    assert.deepEqual(first.objects, second.objects)
  }
})

test('the documents are valid STIX 2.1', { skip: isWithoutValidator }, async () => {
  const documents = await Promise.all([{}, unified, all].map((configuration) => exported(everything, configuration)))
  await assertValid(documents.map((each) => JSON.stringify(each)))
})

test('another installation reads unified entities as ordinary ones, and their contributors from relationships', async () => {
  const findings = await findingsOf(JSON.stringify(await exported(Object.values(actors), all)))
  const read = findings.flatMap((finding) => (finding.kind === 'relationship' ? [finding.relationship.data] : []))
  const derived = read.filter(({ key }) => key === 'derived-from')
  const { one, two, both } = actors
  assert.deepEqual(
    derived.map(({ source }) => source),
    [both.data.id, both.data.id],
  )
  assert.deepEqual(derived.map(({ target }) => target).sort(), [one.data.id, two.data.id].sort())
  const entities = findings.flatMap((finding) => (finding.kind === 'entity' ? [finding.entity.data.title] : []))
  assert.deepEqual(entities.sort(), ['Desert Cat', 'Sand Cat', 'Unified Cat'])
})

test('relationships that several pages hold are merged', async () => {
  const one = await world.entity(north, 'intrusion-set', 'Many')
  const two = await world.entity(south, 'intrusion-set', 'Many')
  const both = await world.entity(home, 'intrusion-set', 'Unified many')
  await world.join(both, [one, two])
  const data = { type: 'tool', title: 'Tool' }
  const sources = [north.source]
  const made = await corvus.call(
    'PUT',
    'entities',
    Array.from({ length: 300 }, () => ({ data, sources })),
  )
  const targets: Made[] = made.body.data
  const ends = targets.flatMap((target) => [one, two].map((source) => [source.id, target.id]))
  const links = ends.map(([source, target]) => ({ data: { source, key: 'uses', target }, sources }))
  assert.equal((await corvus.call('PUT', 'relationships', links)).status, 201)
  const bundle = await exported([one], { ...unified, related_entities: true })
  const { relationships } = namesIn(bundle)
  assert.equal(relationships.length, 300)
  assert.deepEqual(new Set(relationships), new Set(['Unified many uses Tool']))
})

test('related entities are those of all contributors', async () => {
  const related = { related_entities: true }
  assert.deepEqual(await titlesOf([actors.one], { ...unified, ...related }), ['Cats', 'Unified Cat', 'Unified Claw'])
  assert.deepEqual(await titlesOf([actors.one], related), ['Claw', 'Desert Cat', 'Sand Cat'])
  assert.deepEqual(await titlesOf([report], { ...unified, ...related }), ['Cats', 'Unified Cat', 'Unified Claw'])
})

test('filters that exclude a contributor exclude what was made from it, and the others are exported as they are', async () => {
  const sources = (...groups: Group[]) => ({ ...unified, sources: groups.map(({ source }) => source) })
  const cat = [actors.both]
  assert.deepEqual(await titlesOf(cat, sources(home, north, south)), ['Unified Cat'])
  assert.deepEqual(await titlesOf(cat, sources(north, south)), ['Desert Cat', 'Sand Cat'])
  assert.deepEqual(await titlesOf(cat, sources(home, north)), ['Sand Cat'])
  assert.deepEqual(await titlesOf([actors.one], sources(home, north)), ['Sand Cat'])
  assert.deepEqual(await titlesOf([actors.one], { ...sources(home, north), ...all }), ['Sand Cat'])
  assert.deepEqual(await titlesOf(cat, sources(home)), [])
  assert.deepEqual(await titlesOf(cat, { ...unified, tlp_color_filter: 'WHITE' }), [])
})

test('a contributor above the colour of its unified entity contributes nothing, and need not pass the filters', async () => {
  const one = await world.entity(north, 'tool', 'Brush')
  const secret = await world.entity(south, 'tool', 'Secret brush', { meta: { tlp_color: 'RED' } })
  const both = await world.entity(home, 'tool', 'Unified brush')
  await world.relate(secret, 'related-to', report, south)
  await world.relate(report, 'uses', secret, north)
  await world.relate(one, 'related-to', report, north)
  await world.join(both, [one, secret])
  const bundle = await exported([both, report], { ...unified, tlp_color_filter: 'GREEN' })
  assert.deepEqual(namesIn(bundle), {
    names: ['Cats', 'Unified brush'],
    relationships: ['Unified brush related-to Cats'],
  })
  assert.deepEqual(await titlesOf([secret], { ...unified, tlp_color_filter: 'GREEN' }), [])
})

test('a user who does not see every contributor exports those that they see, as if nothing were unified', async () => {
  const token = await corvus.tokenFor(['read entities', 'read extracts'])
  const { id } = (await corvus.call('GET', 'users/self', undefined, token)).body.data
  const sources = [home, north].map(({ source }) => `${source}?allowed_tlp=RED`)
  const { status } = await corvus.call('POST', 'groups', { data: { name: 'Half', users: [id], sources } })
  assert.equal(status, 201)
  for (const configuration of [{}, unified, all]) {
    assert.deepEqual(await titlesOf(everything, configuration, token), ['Cats', 'Claw', 'Sand Cat'])
    const bundle = await exported(everything, configuration, STIX, token)
    assert.deepEqual(namesIn(bundle).relationships, ['Sand Cat uses Claw'])
  }
})

test('chosen columns name the unified entity only if the caller asks for it', async () => {
  const search = `filter[id]=${actors.one.id}&include_fields=data.title,meta.is_contributor_to`
  const { body } = await corvus.call('GET', `entities/export?${search}`)
  assert.equal(body, `data.title,meta.is_contributor_to\r\nSand Cat,${actors.both.data.id}\r\n`)
})

test('an unknown value is refused, and a dry run counts what would be exported', async () => {
  const body = { entities: [actors.both.id], content_type: STIX, dry_run: true }
  const count = async (content_configuration: Item) =>
    corvus.call('POST', 'entities/export', { data: { ...body, content_configuration } })
  assert.equal((await count({ consolidation: 'none' })).status, 400)
  const counts = await Promise.all([{}, unified, all].map(async (each) => (await count(each)).body.data.count))
  assert.deepEqual(counts, [2, 1, 3])
})
