import assert from 'node:assert/strict'
import { test } from 'node:test'
import { corvus, entitiesOf, processed } from '../../../test/set-up/processing.ts'

const SIGMA = `title: Shell from mail
id: 7f3c1a52-93b0-4a4e-9d8f-1f2e3d4c5b6a
tags:
  - attack.execution
  - attack.t1059.001
  - attack.t1204.002
  - attack.g0007
logsource: {category: process_creation}
detection: {condition: selection}
---
title: No tags
logsource: {category: dns}
detection: {condition: selection}
`

/** The nodes of each entity of a file, by title, and the notes in its outcomes. */
async function imported(name: string, text: string) {
  const { file, run } = await processed(name, text)
  assert.equal(run.state, 'SUCCESS', JSON.stringify(run))
  const nodes: Record<string, string[]> = {}
  for (const id of await entitiesOf(file)) {
    const { data, meta } = (await corvus.call('GET', `entities/${id}`)).body.data
    nodes[data.title] = meta.attacks.map((url: string) => url.slice(url.lastIndexOf('/') + 1)).sort()
  }
  const { body } = await corvus.call('GET', `files/${file.id}/outcomes`)
  return { nodes, format: run.result.format, notes: body.data.flatMap((each: { notes: string[] }) => each.notes) }
}

test('a text becomes a report with the techniques that it names', async () => {
  const { nodes, notes } = await imported(
    'notes.txt',
    'Weekly notes\n\nThey sent mails (T1566.001) and T1486. T9998 is new.',
  )
  assert.deepEqual(nodes, { 'Weekly notes': ['TA0001:T1566.001', 'TA0040:T1486'] })
  assert.deepEqual(notes, [
    'Classified with attack nodes named in its texts: T1566.001, T1486.',
    'Its texts contain what looks like attack nodes, but is unknown in the loaded versions and was not used: T9998.',
  ])
})

test('a web page is classified with the techniques that its links lead to', async () => {
  const page =
    '<html><title>A page</title><p>By <a href="https://attack.mitre.org/techniques/T1566/002/">mail</a>, then nothing.'
  assert.deepEqual((await imported('page.html', page)).nodes, { 'A page': ['TA0001:T1566.002'] })
})

test('Sigma rules become indicators with their techniques, and their groups are named', async () => {
  const { nodes, format, notes } = await imported('rules.yml', SIGMA)
  assert.equal(format, 'sigma')
  assert.deepEqual(nodes, { 'Shell from mail': ['TA0002:T1059.001', 'TA0002:T1204.002'], 'No tags': [] })
  assert.ok(
    notes.some((note: string) => note.endsWith('to which it was not linked: G0007.')),
    notes.join(),
  )
})

test('entities of other formats are classified by their texts and patterns, in addition to what they say', async () => {
  const data = { type: 'indicator', title: 'Own', description: 'For T1105', pattern_type: 'yara' }
  const pattern = 'rule A { meta: mitre = "T1055.001" condition: true }'
  const document = { entities: [{ data: { ...data, pattern }, meta: { attacks: ['TA0040'] } }] }
  const { nodes } = await imported('own.json', JSON.stringify(document))
  assert.deepEqual(nodes, { Own: ['TA0004:T1055.001', 'TA0005:T1055.001', 'TA0011:T1105', 'TA0040'] })
})

test('what users write over the API is not read for techniques', async () => {
  const entity = { data: { type: 'report', title: 'Written', description: 'T1566' } }
  const { body } = await corvus.call('POST', 'entities', entity)
  assert.deepEqual(body.data.meta.attacks, [])
})

test('the settings turn it off', async () => {
  const set = (data: object) => corvus.call('PATCH', 'configurations/attack-classification', { data })
  assert.equal((await set({ texts: false, detection_rules: false })).status, 200)
  const { nodes, notes } = await imported('off.txt', 'Other notes\n\nT1566')
  assert.deepEqual([nodes, notes], [{ 'Other notes': [] }, []])
  await set({ texts: true, detection_rules: true })
})
