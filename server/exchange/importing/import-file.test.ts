import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { startApp } from '../../../test/app.ts'
import { importFindings } from '../../../test/set-up/importing.ts'
import type { Finding, FoundEntity } from '../../formats/finding.ts'

let corvus: Awaited<ReturnType<typeof startApp>>
before(async () => {
  corvus = await startApp()
})
after(() => corvus.stop())

const stixId = (type: string): string => `${type}--${randomUUID()}`

const entity = (data: Record<string, unknown>, rest: Partial<FoundEntity> = {}): Finding => ({
  kind: 'entity',
  at: `entity ${data.title}`,
  entity: { data: { type: 'malware', title: 'x', ...data }, ...rest },
})

const relationship = (source: string, target: string, id = randomUUID(), data = {}): Finding => ({
  kind: 'relationship',
  at: `from ${source}`,
  relationship: { id, data: { source, target, key: 'uses', ...data } },
})

const read = async (id: string) => {
  const { body } = await corvus.call('GET', `entities?filter[data.id]=${encodeURIComponent(id)}`)
  return body.data[0]
}

async function changes(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from changes`.execute(corvus.db)
  return rows[0]?.count ?? 0
}

test('the objects of a document are stored, and importing it again changes nothing', async () => {
  const [a, b, c] = [stixId('malware'), stixId('threat-actor'), stixId('campaign')]
  const findings: Finding[] = [
    entity(
      { id: a, title: 'Adder', modified: '2024-01-01T00:00:00Z' },
      {
        meta: { tags: ['snake'], tlp_color: 'GREEN' },
        observables: [{ type: 'domain', value: 'adder.example', maliciousness: 'high' }],
        attachments: [{ filename: 'a.txt', bytes: Buffer.from('adder') }],
        kept: [{ id: 'file--1', object: { type: 'file', id: 'file--1', name: 'adder.exe' } }],
      },
    ),
    entity({ id: b, type: 'threat-actor', title: 'Bee', modified: '2024-01-01T00:00:00Z' }),
    relationship(b, a),
    relationship(b, a),
    relationship(b, c),
    { kind: 'observable', at: 'line 1', observable: { type: 'ipv4', value: '192.0.2.77', maliciousness: 'low' } },
  ]
  const first = await importFindings(corvus, findings)
  assert.deepEqual(first.tally, {
    entities: { created: 2 },
    observables: { created: 2 },
    relationships: { created: 3 },
  })
  const adder = await read(a)
  assert.deepEqual([adder.meta.tags, adder.meta.tlp_color, adder.observables.length], [['snake'], 'GREEN', 1])
  assert.equal(adder.attachments.length, 1)
  assert.equal((await read(c)).meta.is_unresolved_idref, true)
  const { body } = await corvus.call('GET', `relationships?filter[data.target]=${adder.id}`)
  assert.equal(body.total_count, 2)
  const before = await changes()
  const second = await importFindings(corvus, findings)
  assert.deepEqual(second.tally, {
    entities: { unchanged: 2 },
    observables: { unchanged: 1 },
    relationships: { unchanged: 3 },
  })
  assert.equal(await changes(), before)
  const { rows } = await sql`select * from stix_objects where entity_id = ${adder.id}`.execute(corvus.db)
  assert.equal(rows.length, 1)
})

test('new observables of entities are counted once each', async () => {
  const named = (title: string, ...values: string[]) =>
    entity({ id: stixId('malware'), title }, { observables: values.map((value) => ({ type: 'domain', value })) })
  const [one, two, three] = [1, 2, 3].map(() => `${randomUUID()}.example`) as [string, string, string]
  const first = await importFindings(corvus, [named('a', one, two), named('b', two), named('c')])
  assert.deepEqual(first.tally, { entities: { created: 3 }, observables: { created: 2 } })
  const alone: Finding = { kind: 'observable', at: 'line 9', observable: { type: 'domain', value: three } }
  const second = await importFindings(corvus, [named('d', one, three), alone])
  assert.deepEqual(second.tally, { entities: { created: 1 }, observables: { created: 1, unchanged: 1 } })
  const { rows } = await sql`
    select observables_created from file_outcomes where owner = ${first.file} order by position`.execute(corvus.db)
  assert.deepEqual(rows, [{ observables_created: 2 }, { observables_created: 0 }, { observables_created: 0 }])
})

test('a later version is applied, an older one is not, and additions by users stay', async () => {
  const id = stixId('malware')
  const version = (modified: string, title: string, rest: Partial<FoundEntity> = {}) => [
    entity({ id, title, modified }, rest),
  ]
  await importFindings(corvus, version('2024-02-01T00:00:00Z', 'Second', { meta: { tags: ['one'] } }))
  const made = await read(id)
  const mine = { meta: { tags: ['one', 'mine'] }, observables: [{ type: 'ipv4', value: '192.0.2.1' }] }
  await corvus.call('PATCH', `entities/${made.id}`, { data: mine })
  const older = await importFindings(corvus, version('2024-01-01T00:00:00Z', 'First'))
  assert.deepEqual(older.tally, { entities: { outdated: 1 } })
  const observables = [{ type: 'domain', value: 'later.example' }]
  const newer = await importFindings(
    corvus,
    version('2024-03-01T00:00:00+00:00', 'Third', { meta: { tags: ['two'] }, observables }),
  )
  assert.deepEqual(newer.tally, { entities: { updated: 1 }, observables: { created: 1 } })
  const now = await read(id)
  assert.equal(now.data.title, 'Third')
  assert.deepEqual(now.meta.tags.toSorted(), ['mine', 'two'])
  assert.equal(now.observables.length, 2)
})

test('an invalid object is refused with a reason, and the others are stored', async () => {
  const good = Array.from({ length: 7 }, (_, i) => entity({ id: stixId('malware'), title: `good ${i}` }))
  const bad: Finding[] = [
    entity({ id: stixId('malware'), title: 'bad', type: 'no-such-type' }),
    entity({ id: stixId('malware'), title: 'worse' }, { meta: { alias: 5 } }),
  ]
  const { outcomes, tally } = await importFindings(corvus, [...good.slice(0, 3), ...bad, ...good.slice(3)])
  assert.deepEqual(tally, { entities: { created: 7, refused: 2 } })
  const refused = outcomes.filter(({ outcome }) => outcome === 'refused')
  assert.deepEqual(
    refused.map(({ place }) => place),
    ['entity bad', 'entity worse'],
  )
  assert.match(String(refused[0]?.details[0]), /^data\.type: /)
  assert.match(String(refused[1]?.details[0]), /alias/)
})

test('invalid parts are kept in as_sent, and invalid observables are reported', async () => {
  const id = stixId('malware')
  const { outcomes } = await importFindings(corvus, [
    entity(
      { id, title: 'Odd', is_family: 'perhaps', description: 'whole' },
      {
        observables: [
          { type: 'ipv4', value: 'not an address' },
          { type: 'ipv4', value: '192.0.2.9' },
        ],
      },
    ),
  ])
  assert.equal(outcomes[0]?.outcome, 'created')
  assert.equal(outcomes[0]?.details.length, 2)
  const stored = await read(id)
  assert.deepEqual(stored.data.as_sent, { is_family: 'perhaps' })
  assert.deepEqual([stored.data.description, stored.observables.length], ['whole', 1])
})

test('invalid relationships are refused one by one', async () => {
  const id = stixId('malware')
  const other = stixId('tool')
  const { outcomes } = await importFindings(corvus, [
    entity({ id, title: 'End' }),
    relationship(id, id),
    relationship(id, 'nothing--that-is-known'),
    relationship(id, other, randomUUID(), { key: 'Not A Key' }),
    relationship(id, other),
  ])
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['created', 'refused', 'refused', 'refused', 'created'],
  )
})

test('undefined types are defined', async () => {
  const data = { type: 'custom-entity', custom_entity_type: 'x-beetle', title: 'Stag', legs: 6 }
  const { tally } = await importFindings(corvus, [entity({ ...data, id: stixId('x-beetle') })])
  assert.deepEqual(tally, { entities: { created: 1 } })
  const { body } = await corvus.call('GET', 'entity-definitions?filter[type]=x-beetle')
  assert.equal(body.data[0].is_custom, true)
})

test('an entity that the importer cannot see is neither changed nor revealed', async () => {
  const id = stixId('malware')
  await importFindings(corvus, [entity({ id, title: 'Hidden' }, { meta: { tlp_color: 'RED' } })])
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  const { body } = await corvus.call('GET', 'users/self', undefined, token)
  await sql`delete from group_users where target = ${body.data.id}`.execute(corvus.db)
  const group = await corvus.call('POST', 'groups', { data: { name: `alone ${randomUUID()}` } })
  await sql`insert into group_users (source, target) values (${group.body.data.id}, ${body.data.id})`.execute(corvus.db)
  const { outcomes } = await importFindings(corvus, [entity({ id, title: 'Mine' })], { token })
  assert.deepEqual(
    outcomes.map(({ outcome }) => outcome),
    ['refused'],
  )
  assert.equal((await read(id)).data.title, 'Hidden')
})

test('an interrupted import continues and has the same result', async () => {
  const findings = Array.from({ length: 1100 }, (_, i) => entity({ id: stixId('malware'), title: `many ${i}` }))
  const begun = await importFindings(corvus, findings.slice(0, 600))
  const whole = await importFindings(corvus, findings, { begun, from: 600 })
  assert.deepEqual(whole.tally, { entities: { created: 1100 } })
  assert.deepEqual(
    whole.outcomes.map(({ place }) => place),
    findings.map(({ at }) => at),
  )
})

test('the settings of a file add to what its entities say', async () => {
  const [plain, coloured] = [stixId('malware'), stixId('malware')]
  await importFindings(
    corvus,
    [
      entity({ id: plain, title: 'Plain' }),
      entity({ id: coloured, title: 'Coloured' }, { meta: { tlp_color: 'WHITE', tags: ['own'] } }),
    ],
    { given: { tags: ['batch'], tlp: 'AMBER' } },
  )
  assert.deepEqual([(await read(plain)).meta.tags, (await read(plain)).meta.tlp_color], [['batch'], 'AMBER'])
  assert.deepEqual(
    [(await read(coloured)).meta.tags, (await read(coloured)).meta.tlp_color],
    [['own', 'batch'], 'WHITE'],
  )
})

test('an import by another user changes neither source nor colour', async () => {
  const [id, other] = [stixId('malware'), stixId('tool')]
  const link = randomUUID()
  const version = (modified: string, key: string): Finding[] => [
    entity({ id, title: 'Owned', modified }, { meta: { taxonomies: ['owned/by'] } }),
    entity({ id: other, type: 'tool', title: 'Other' }),
    relationship(id, other, link, { modified, description: key }),
  ]
  await importFindings(corvus, version('2024-01-01T00:00:00Z', 'first'))
  const mine = await read(id)
  await corvus.call('PATCH', `entities/${mine.id}`, { data: { meta: { tlp_color: 'RED', attacks: ['TA0001'] } } })
  const before = (await corvus.call('GET', `relationships/${link}`)).body.data
  await corvus.call('PATCH', `relationships/${link}`, {
    data: { sources: before.sources, meta: { tlp_color: 'AMBER' } },
  })
  const group = await corvus.blindGroup(`others ${randomUUID()}`)
  const given = { source: group.source.split('/').at(-1), tlp: 'GREEN' }
  const { tally } = await importFindings(corvus, version('2024-02-01T00:00:00Z', 'second'), { given })
  assert.deepEqual([tally.entities?.updated, tally.relationships], [1, { updated: 1 }])
  const now = await read(id)
  assert.deepEqual([now.sources, now.meta.tlp_color], [mine.sources, 'RED'])
  assert.deepEqual([now.meta.attacks.length, now.meta.taxonomies.length], [1, 1])
  const after = (await corvus.call('GET', `relationships/${link}`)).body.data
  assert.deepEqual([after.sources, after.meta.tlp_color, after.data.description], [before.sources, 'AMBER', 'second'])
})

test('missing taxonomies are created if the importer has the permission', async () => {
  const [made, lost] = [stixId('malware'), stixId('malware')]
  await importFindings(corvus, [entity({ id: made, title: 'Made' }, { meta: { taxonomies: ['sector/energy'] } })])
  assert.equal((await read(made)).meta.taxonomies.length, 1)
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  const meta = { taxonomies: ['sector/energy', 'sector/water'] }
  const { outcomes } = await importFindings(corvus, [entity({ id: lost, title: 'Lost' }, { meta })], { token })
  assert.equal(outcomes[0]?.outcome, 'created')
  assert.match(String(outcomes[0]?.details[0]), /taxonomy 'sector\/water'/)
  assert.equal((await read(lost)).meta.taxonomies.length, 1)
})

test('observables without an entity need the permission to write observables', async () => {
  const finding: Finding = { kind: 'observable', at: 'line 1', observable: { type: 'domain', value: 'loose.example' } }
  const token = await corvus.tokenFor(['read entities', 'modify entities'])
  const { outcomes } = await importFindings(corvus, [finding], { token })
  assert.deepEqual(
    outcomes.map(({ outcome, details }) => [outcome, details]),
    [['refused', ['Missing permissions: [modify extracts]']]],
  )
  const { body } = await corvus.call('GET', 'observables?filter[value]=loose.example&data=false')
  assert.equal(body.total_count, 0)
})
