import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { effort } from '../../../test/effort.ts'
import { anyBundle } from '../../../test/stix-bundles.ts'
import { assertValid, comparable, exportOf, findingsOf, isWithoutValidator } from '../../../test/stix-round-trip.ts'
import { documentOf } from '../document.ts'
import { recognise } from '../recognise.ts'

const RUNS = { numRuns: effort(500, 50) }

test('every bundle survives a round trip, whatever the order of its objects', async () => {
  await fc.assert(
    fc.asyncProperty(anyBundle, async (bundle) => {
      const given = JSON.parse(JSON.stringify(bundle))
      const { objects, losses } = await exportOf(await findingsOf(JSON.stringify(given)))
      const written = new Map(objects.map((object) => [object.id, object]))
      for (const object of given.objects) assert.deepEqual(written.get(object.id), object)
      assert.deepEqual(losses, [])
    }),
    RUNS,
  )
})

test('an exported bundle is read back as the same entities, relationships, observables and objects', async () => {
  await fc.assert(
    fc.asyncProperty(anyBundle, async (bundle) => {
      const findings = await findingsOf(JSON.stringify(bundle))
      const { text } = await exportOf(findings)
      assert.deepEqual(comparable(await findingsOf(text)), comparable(findings))
    }),
    RUNS,
  )
})

test('the order of objects in a bundle makes no difference', async () => {
  await fc.assert(
    fc.asyncProperty(anyBundle, async ({ objects, ...bundle }) => {
      const one = await findingsOf(JSON.stringify({ ...bundle, objects }))
      const other = await findingsOf(JSON.stringify({ objects: objects.toReversed(), ...bundle }))
      assert.deepEqual(comparable(other), comparable(one))
    }),
    RUNS,
  )
})

/** Reverses the member order of every object in a JSON value. */
const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

test('the order of JSON members changes neither the detected format nor the findings', async () => {
  await fc.assert(
    fc.asyncProperty(anyBundle, async (bundle) => {
      const text = JSON.stringify(bundle)
      const other = JSON.stringify(reversed(JSON.parse(text)))
      assert.equal(await recognise(documentOf(other)), 'stix-2')
      assert.deepEqual(comparable(await findingsOf(other)), comparable(await findingsOf(text)))
    }),
    RUNS,
  )
})

test('every exported bundle is valid', { skip: isWithoutValidator }, async () => {
  const written: string[] = []
  for (const bundle of fc.sample(anyBundle, 100))
    written.push((await exportOf(await findingsOf(JSON.stringify(bundle)))).text)
  await assertValid(written)
})
