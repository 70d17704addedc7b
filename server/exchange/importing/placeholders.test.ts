import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { importFindings } from '../../../test/set-up/importing.ts'
import { corvus, endOf, processed } from '../../../test/set-up/processing.ts'
import { findingsOf } from '../../../test/stix-round-trip.ts'

type Fields = Record<string, unknown>

const object = (type: string, fields: Fields = {}): Fields & { id: string } => ({
  type,
  spec_version: '2.1',
  id: `${type}--${randomUUID()}`,
  created: '2024-01-01T00:00:00.000Z',
  modified: '2024-01-01T00:00:00.000Z',
  ...(type === 'relationship' ? {} : { name: type }),
  ...fields,
})

const bundle = (...objects: object[]): string =>
  JSON.stringify({ type: 'bundle', id: `bundle--${randomUUID()}`, objects })

const missing = (type: string): string => `${type}--${randomUUID()}`

async function placeholders(): Promise<string[]> {
  const { rows } = await sql<{ stix_id: string }>`
    select stix_id from entities where is_unresolved order by stix_id`.execute(corvus.db)
  return rows.map(({ stix_id }) => stix_id)
}

const idOf = async (stixId: string): Promise<string> => {
  const { body } = await corvus.call('GET', `entities?filter[data.id]=${stixId}&attributes=id`)
  return body.data[0].id
}

async function removeEntity(stixId: string): Promise<void> {
  assert.equal((await corvus.call('DELETE', `entities/${await idOf(stixId)}`)).status, 204)
}

test('a placeholder is deleted with the last entity that refers to it', async () => {
  const author = missing('identity')
  const [one, other] = [object('campaign', { created_by_ref: author }), object('campaign', { created_by_ref: author })]
  await processed('a.json', bundle(one, other))
  assert.deepEqual(await placeholders(), [author])
  await removeEntity(one.id)
  assert.deepEqual(await placeholders(), [author])
  await removeEntity(other.id)
  assert.deepEqual(await placeholders(), [])
})

test('a placeholder is deleted with the last relationship that leads to it', async () => {
  const target = missing('malware')
  const campaign = object('campaign')
  const related = ['uses', 'related-to'].map((relationship_type) =>
    object('relationship', { relationship_type, source_ref: campaign.id, target_ref: target }),
  )
  await processed('a.json', bundle(campaign, ...related))
  for (const { id } of related) {
    assert.deepEqual(await placeholders(), [target])
    assert.equal((await corvus.call('DELETE', `relationships/${id.replace('relationship--', '')}`)).status, 204)
  }
  assert.deepEqual(await placeholders(), [])
  await removeEntity(campaign.id)
})

test('a placeholder is deleted when a newer version no longer refers to it', async () => {
  const campaign = object('campaign', { created_by_ref: missing('identity') })
  await processed('a.json', bundle(campaign))
  assert.equal((await placeholders()).length, 1)
  const { created_by_ref: _, ...rest } = campaign as Fields
  await processed('b.json', bundle({ ...rest, modified: '2024-01-02T00:00:00.000Z' }))
  assert.deepEqual(await placeholders(), [])
  await removeEntity(campaign.id)
})

test('a placeholder that users put into a workspace stays even if nothing refers to it', async () => {
  const author = missing('identity')
  const campaign = object('campaign', { created_by_ref: author })
  await processed('a.json', bundle(campaign))
  const { status, body } = await corvus.call('POST', 'workspaces/1/entities', { data: [await idOf(author)] })
  assert.equal(status, 200, JSON.stringify(body))
  await removeEntity(campaign.id)
  assert.deepEqual(await placeholders(), [author])
  await removeEntity(author)
})

test('deleting an upload leaves no placeholders behind', async () => {
  const report = object('report', {
    published: '2024-01-01T00:00:00Z',
    object_refs: [missing('malware'), missing('tool')],
    created_by_ref: missing('identity'),
  })
  const [from, to] = [missing('campaign'), missing('malware')]
  const loose = object('relationship', { relationship_type: 'uses', source_ref: from, target_ref: to })
  const { file } = await processed('a.json', bundle(report, loose))
  assert.equal((await placeholders()).length, 5)
  const data = { ids: [file.id], delete_entities: true, delete_extracts: true }
  const { body } = await corvus.call('POST', 'files/delete-uploads', { data })
  await endOf(new URL(body.data.task_run).pathname)
  assert.deepEqual(await placeholders(), [])
})

test('a file creates a limited number of placeholders, and reports references without one', async () => {
  const inside = object('malware', { is_family: false })
  const report = (count: number) =>
    object('report', {
      published: '2024-01-01T00:00:00Z',
      object_refs: [inside.id, ...Array.from({ length: count }, () => missing('malware'))],
    })
  const findings = await findingsOf(bundle(report(15), report(10), inside))
  const { tally, outcomes } = await importFindings(corvus, findings, { placeholders: { left: 20 } })
  assert.equal((await placeholders()).length, 20)
  assert.deepEqual(tally, { entities: { created: 3 }, relationships: { created: 22, lost: 5 } })
  const told = outcomes.flatMap(({ details }) => details)
  assert.ok(told.some((line) => /^5 references lead to objects that are neither in the file nor known/.test(line)))
  assert.equal(told.filter((line) => line === 'A file can create at most 10000 placeholders.').length, 5)
})
