import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isTurnOf } from '../../../test/effort.ts'
import {
  assertValid,
  comparable,
  exportOf,
  findingsOf,
  isWithoutValidator,
  samples,
} from '../../../test/stix-round-trip.ts'
import { partsOf } from './ids.ts'

type Fields = Record<string, unknown>

const FOLDERS = ['stix21', 'attack', 'disarm', 'stix-pairs/elevator/idioms-json-2.1']

const files = FOLDERS.flatMap((folder) =>
  existsSync(join(samples, folder))
    ? readdirSync(join(samples, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))
    : [],
).filter((name) => name.endsWith('.json') && !/oasis-json-schemas\/|EXPECT/.test(name))

const objectsIn = (text: string): Fields[] => {
  const document = JSON.parse(text)
  return document.objects ?? [document]
}

/** Ids that no UUID of the kinds which STIX allows is in; they are kept all the same. */
const isOdd = (text: string): boolean =>
  objectsIn(text).some(({ id }) => !/^[1-5]...-[89ab]/i.test(partsOf(id)?.uuid.slice(14) ?? ''))

/** What STIX requires is added where a document is without it. */
const ADDED: Record<string, readonly string[]> = {
  indicator: ['pattern', 'pattern_type', 'extensions'],
  report: ['name', 'object_refs', 'extensions'],
}

for (const [i, file] of files.entries()) {
  if (!isTurnOf(i)) continue
  test(`${file} comes out as it came in`, async () => {
    const text = readFileSync(join(samples, file), 'utf8')
    const { objects } = await exportOf(await findingsOf(text))
    const written = new Map(objects.map((object) => [object.id, object]))
    for (const object of objectsIn(text)) {
      const out = { ...written.get(object.id) }
      const isValid = object.type !== 'report' || (object.name && object.object_refs)
      if (!isValid || (object.type === 'indicator' && !object.pattern))
        for (const name of ADDED[String(object.type)] ?? []) if (!(name in object)) delete out[name]
      assert.deepEqual(out, object)
    }
  })

  test(`${file} is the same again when its export is read`, async () => {
    const findings = await findingsOf(readFileSync(join(samples, file), 'utf8'))
    const { text } = await exportOf(findings)
    assert.deepEqual(comparable(await findingsOf(text)), comparable(findings))
  })
}

test('what is written of every sample is valid', { skip: isWithoutValidator }, async () => {
  const texts = files.map((file) => readFileSync(join(samples, file), 'utf8')).filter((text) => !isOdd(text))
  assert.ok(texts.length > 80)
  const written: string[] = []
  for (const text of texts) written.push((await exportOf(await findingsOf(text))).text)
  await assertValid(written)
})

test('everything at once comes out again, and reading it changes nothing', { skip: isWithoutValidator }, async () => {
  const small = files.filter((file) => file.startsWith('stix21'))
  const findings = []
  for (const file of small) findings.push(...(await findingsOf(readFileSync(join(samples, file), 'utf8'))))
  const { text, objects } = await exportOf(findings)
  const again = await exportOf(await findingsOf(text))
  assert.deepEqual(new Set(again.objects.map(({ id }) => id)), new Set(objects.map(({ id }) => id)))
  await assertValid([text])
})
