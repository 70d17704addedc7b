import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isTurnOf } from '../../../test/effort.ts'
import { SAMPLES, sampleFiles, testEachSample } from '../../../test/sample-files.ts'
import { assertValid, comparable, exportOf, findingsOf, isWithoutValidator } from '../../../test/stix-round-trip.ts'
import { readStrictly } from '../../../test/strict-stix.ts'
import { isStixId } from './ids.ts'

type Fields = Record<string, unknown>

const FOLDERS = ['stix21', 'attack', 'disarm', 'stix-pairs/elevator/idioms-json-2.1']

const files = sampleFiles(FOLDERS, '.json').filter((name) => !/oasis-json-schemas\/|EXPECT/.test(name))
const todays = files.filter((_, i) => isTurnOf(i))

const objectsIn = (text: string): Fields[] => {
  const document = JSON.parse(text)
  return document.objects ?? [document]
}

/** Whether an object has or references an id that STIX does not allow. Such ids are replaced on export. */
const isOdd = (object: Fields): boolean =>
  (JSON.stringify(object).match(/[a-z0-9-]+--[0-9a-f]{8}-[0-9a-f-]{27}/gi) ?? []).some((id) => !isStixId(id))

/** Properties that STIX requires and that are added if the document lacks them. */
const ADDED: Record<string, readonly string[]> = {
  indicator: ['pattern', 'pattern_type', 'extensions'],
  report: ['name', 'object_refs', 'extensions'],
}

testEachSample(todays, 'comes out as it came in', async (file) => {
  const text = readFileSync(join(SAMPLES, file), 'utf8')
  const { objects } = await exportOf(await findingsOf(text))
  const written = new Map(objects.map((object) => [object.id, object]))
  for (const object of objectsIn(text)) {
    if (isOdd(object)) continue
    const out = { ...written.get(object.id) }
    const isValid = object.type !== 'report' || (object.name && object.object_refs)
    if (!isValid || (object.type === 'indicator' && !object.pattern))
      for (const name of ADDED[String(object.type)] ?? []) if (!(name in object)) delete out[name]
    assert.deepEqual(out, object)
  }
})

testEachSample(todays, 'is the same again when its export is read', async (file) => {
  const findings = await findingsOf(readFileSync(join(SAMPLES, file), 'utf8'))
  const { text } = await exportOf(findings)
  assert.deepEqual(comparable(await findingsOf(text)), comparable(findings))
})

testEachSample(todays, 'is the same again when its export is imported and exported', async (file) => {
  const { text, objects } = await exportOf(await findingsOf(readFileSync(join(SAMPLES, file), 'utf8')))
  assert.deepEqual((await exportOf(await findingsOf(text))).objects, objects)
})

test('the export of every sample is valid, and strict readers accept it', {
  skip: isWithoutValidator,
}, async () => {
  assert.ok(files.length > 80)
  const written: string[] = []
  for (const file of files) {
    const { text, objects } = await exportOf(await findingsOf(readFileSync(join(SAMPLES, file), 'utf8')))
    assert.equal(readStrictly(text).length, objects.length)
    written.push(text)
  }
  await assertValid(written)
})

test('all samples together survive a round trip unchanged', { skip: isWithoutValidator }, async () => {
  const small = files.filter((file) => file.startsWith('stix21'))
  const findings = []
  for (const file of small) findings.push(...(await findingsOf(readFileSync(join(SAMPLES, file), 'utf8'))))
  const { text, objects } = await exportOf(findings)
  const again = await exportOf(await findingsOf(text))
  assert.deepEqual(new Set(again.objects.map(({ id }) => id)), new Set(objects.map(({ id }) => id)))
  await assertValid([text])
})
