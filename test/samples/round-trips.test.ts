import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { isTurnOf } from '../effort.ts'
import { SAMPLES, sampleFiles, testEachSample } from '../sample-files.ts'
import { corvus, endOf, exported, processed, processedFile } from '../set-up/processing.ts'
import { assertValid, isWithoutValidator } from '../stix-round-trip.ts'
import { readStrictly } from '../strict-stix.ts'

const BUNDLES = ['stix21', 'attack', 'disarm', 'stix-pairs/elevator/idioms-json-2.1']
const PACKAGES = ['stix-pairs/elevator/idioms-xml', 'stix12/idioms', 'stix12/stixproject-samples-1.2']

type Json = Record<string, unknown>

/** A format that preserves entities, and how to read it strictly, without values that differ between installations or exports. */
interface Form {
  readonly type: string
  readonly name: string
  read(text: string): unknown
}

const FORMS: readonly Form[] = [
  { type: 'urn:oasis:stix:json:2.1', name: 'export.json', read: (text) => byKey(readStrictly(text), 'id') },
  { type: 'urn:eclecticiq.com:json:3.2', name: 'export.json', read: platformJson },
  { type: 'urn:eclecticiq.com:json:2.0', name: 'export.json', read: platformJson },
  { type: 'urn:eclecticiq.com:csv-entities:1.0', name: 'export.csv', read: csvRows },
]

const byKey = (items: readonly Json[], name: string): Json[] =>
  items.toSorted((a, b) => (String(a[name]) < String(b[name]) ? -1 : 1))

/** Fields whose values differ between installations. */
const OWN = new Set(['created_at', 'last_updated_at', 'relevancy', 'ingest_time', 'first_ingest_time'])

function platformJson(text: string): unknown {
  const { entities, relationships, relations } = JSON.parse(text) as Record<string, Json[] | undefined>
  const related = (relationships ?? relations ?? []).map(withoutOwn)
  // Entities are exported in the order in which they were stored.
  const ordered = (entities ?? []).toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
  return {
    entities: ordered.map(({ id: _, created, modified, ...entity }) => ({
      ...(withoutOwn(entity) as Json),
      // Objects that were not created as STIX have permanent values; others have them in their data.
      ...((entity.data as Json).created === undefined && { created, modified }),
    })),
    related: byKey(related as Json[], 'id').map(({ created: _, modified: __, ...rest }) => rest),
  }
}

const idOf = ({ data }: Json): string => String((data as Json).id)

function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !OWN.has(name))
  return Object.fromEntries(
    members.map(([name, member]) => {
      if (name === 'data') return [name, member]
      return [
        name,
        name === 'extracts' ? (member as Json[]).map(({ id: _, ...rest }) => withoutOwn(rest)) : withoutOwn(member),
      ]
    }),
  )
}

function csvRows(text: string): unknown {
  const rows: Json[] = parse(text, { columns: true, bom: true })
  return byKey(rows, 'data.id').map(
    ({ id: _, url: __, relevancy: ___, created_at: ____, last_updated_at: _____, ...row }) => row,
  )
}

async function allEntities(): Promise<string[]> {
  const ids: string[] = []
  for (let cursor = ''; ; ) {
    const { body } = await corvus.call('GET', `entities?attributes=id&limit=1000&page[cursor]=${cursor}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.cursor === null) return ids
    cursor = encodeURIComponent(body.cursor)
  }
}

async function forget(file: { readonly id: number }): Promise<void> {
  const data = { ids: [file.id], delete_entities: true, delete_extracts: true }
  const { body } = await corvus.call('POST', 'files/delete-uploads', { data })
  const run = await endOf(new URL(body.data.task_run).pathname)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
}

const exportAs = async ({ type }: Form, entities: readonly string[]): Promise<string> =>
  (await exported('entities/export', { entities, content_type: type })).document.text

const isBundle = (name: string): boolean =>
  !/oasis-json-schemas\/|EXPECT/.test(name) && readFileSync(join(SAMPLES, name), 'utf8').includes('"objects"')

const tried = [...sampleFiles(BUNDLES, '.json').filter(isBundle), ...sampleFiles(PACKAGES, '.xml')]
  .flatMap((name) => FORMS.map((form) => ({ name, form })))
  .filter((_, i) => isTurnOf(i, 40))

const written: string[] = []

testEachSample(
  [...new Set(tried.map(({ name }) => name))],
  'is exported, read strictly, imported into an empty installation, and exported just so again',
  async (name) => {
    for (const { form } of tried.filter((each) => each.name === name)) {
      const { file, run } = await processedFile(join(SAMPLES, name))
      assert.ok(['SUCCESS', 'WARNING'].includes(run.state), `${run.state} ${run.error_detail}`)
      const first = await exportAs(form, await allEntities())
      await forget(file)
      assert.deepEqual(await allEntities(), [])
      const again = await processed(form.name, first)
      assert.ok(['SUCCESS', 'WARNING'].includes(again.run.state), `${form.type} ${again.run.error_detail}`)
      const second = await exportAs(form, await allEntities())
      await forget(again.file)
      assert.deepEqual(form.read(second), form.read(first), form.type)
      if (form.type === 'urn:oasis:stix:json:2.1') written.push(first)
    }
  },
)

test('documents exported as STIX 2.1 are valid by its schemas', { skip: isWithoutValidator }, async () => {
  if (written.length > 0) await assertValid(written)
})
