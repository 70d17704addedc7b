import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { isTurnOf } from '../effort.ts'
import { SAMPLES, sampleFiles, testEachSample } from '../sample-files.ts'
import { corvus, endOf, entitiesOf, exported, losses, processedFile } from '../set-up/processing.ts'

const FOLDERS = [
  'stix21/interop-original',
  'stix21/oasis-cti-documentation',
  'stix21/oasis-json-schemas-examples',
  'stix21/misp-stix',
  'disarm',
]
const STIX = 'urn:oasis:stix:json:2.1'

type Json = Record<string, unknown> & { readonly id: string; readonly modified?: string }

/** The objects of a bundle by id; of several versions, the latest. */
function objectsOf(text: string): Map<string, Json> {
  const { objects = [] } = JSON.parse(text.replace(/^\uFEFF/, '')) as { objects?: Json[] }
  const found = new Map<string, Json>()
  for (const object of objects) {
    const before = found.get(object.id)
    if (!before || String(before.modified ?? '') <= String(object.modified ?? '')) found.set(object.id, object)
  }
  return found
}

/** The logged changes of intelligence. There must be none if nothing changed. */
async function changes(): Promise<unknown> {
  const { rows } = await sql`
    select resource, kind, count(*) from changes
    where resource in ('entities', 'observables', 'relationships', 'attachments', 'entity_definitions')
    group by 1, 2
    order by 1, 2`.execute(corvus.db)
  return rows
}

/** Samples share ids, so each is imported into an empty installation. */
async function forget(file: { readonly id: number }): Promise<void> {
  const data = { ids: [file.id], delete_entities: true, delete_extracts: true }
  const { body } = await corvus.call('POST', 'files/delete-uploads', { data })
  const run = await endOf(new URL(body.data.task_run).pathname)
  assert.equal(run.state, 'SUCCESS', run.error_detail)
}

/** Schemas and expectations are in the same folders as the bundles. */
const bundles = sampleFiles(FOLDERS, '.json').filter((name, i) => isTurnOf(i) && textOf(name).includes('"objects"'))

function textOf(name: string): string {
  return readFileSync(join(SAMPLES, name), 'utf8')
}

testEachSample(bundles, 'comes back as it went in, and changes nothing the second time', async (name) => {
  const { file, run } = await processedFile(join(SAMPLES, name))
  assert.ok(['SUCCESS', 'WARNING'].includes(run.state), `${run.state} ${run.error_detail}`)
  const wanted = objectsOf(textOf(name))
  const { document } = await exported('entities/export', { entities: await entitiesOf(file), content_type: STIX })
  const got = objectsOf(document.text)
  for (const [id, object] of wanted) {
    assert.deepEqual(got.get(id), object, `${id}\n${JSON.stringify(await losses(file), null, 1).slice(0, 2000)}`)
  }
  const before = await changes()
  const { body } = await corvus.call('POST', `files/${file.id}/process`)
  const again = await endOf(new URL(body.data.task_run).pathname)
  assert.ok(!/created|updated/.test(JSON.stringify(again.result)), JSON.stringify(again.result))
  assert.deepEqual(await changes(), before)
  await forget(file)
  assert.equal((await corvus.call('GET', 'entities?data=false')).body.total_count, 0)
})
