import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentOf } from '../document.ts'
import { wayOf } from '../formats.ts'
import { recognise } from '../recognise.ts'

const UUID = '5a0c1b2e-7d3f-4b7e-9f30-1f2d3c4b5a69'
const TIME = '2024-01-29T07:42:07.000Z'

/** Documents in which an integer replaces each `0`. */
const DOCUMENTS: readonly (readonly [name: string, at: string, member: string, text: string])[] = [
  ['an event of MISP', 'Event', 'sharing_group_id', JSON.stringify({ Event: eventOf() })],
  ['a list of events', 'response[0]', 'sharing_group_id', JSON.stringify({ response: [{ Event: eventOf() }] })],
  ['an event without a wrapping', 'Event', 'sharing_group_id', JSON.stringify(eventOf())],
  ['a galaxy', 'values[0]', 'score', JSON.stringify(galaxyOf())],
  ['an entity in each line', 'line 2', 'x_number', `${lineOf(1)}\n${lineOf(0)}\n`],
  ['one entity', 'document', 'x_number', lineOf(0)],
  ['one wrapped entity', 'data', 'x_number', `{"data":${lineOf(0)}}`],
  ['one object of STIX 2', 'the document', 'x_number', JSON.stringify(malwareOf())],
]

for (const [name, at, member, text] of DOCUMENTS) {
  test(`an integer that numbers cannot hold is reported in ${name}`, async () => {
    assert.deepEqual(await lossesIn(text.replace(/:0(?=[,}])/, ':9007199254740993')), [
      `${at}: ${member}: the integer 9007199254740993 is stored as 9007199254740992`,
    ])
    assert.deepEqual(await lossesIn(text.replace(/:0(?=[,}])/, ':9007199254740992')), [])
    // It lies between two representable integers, and is printed unchanged.
    assert.deepEqual(await lossesIn(text.replace(/:0(?=[,}])/, ':19251296364976870')), [])
  })
}

async function lossesIn(text: string): Promise<string[]> {
  const document = documentOf(text, 'x.json')
  const { read } = await wayOf(await recognise(document), document, {})
  const findings = await Array.fromAsync(read(document))
  return findings.flatMap(({ at, losses = [] }) => losses.map((loss) => `${at}: ${loss}`))
}

function eventOf(): object {
  const Attribute = [{ uuid: UUID, type: 'domain', category: 'Network activity', value: 'bad.example', to_ids: true }]
  return { uuid: UUID, info: 'Phishing', date: '2024-01-29', sharing_group_id: 0, threat_level_id: '1', Attribute }
}

function galaxyOf(): object {
  const values = [{ value: 'Velvet Heron', uuid: UUID, description: 'Steals recipes.', meta: { score: 0 } }]
  return { name: 'Threat Actor', type: 'threat-actor', uuid: UUID, version: 1, values }
}

function lineOf(number: number): string {
  return JSON.stringify({
    data: { type: 'report', id: `report--${UUID}`, title: `Report ${number}`, x_number: number },
  })
}

function malwareOf(): object {
  return {
    type: 'malware',
    spec_version: '2.1',
    id: `malware--${UUID}`,
    created: TIME,
    modified: TIME,
    name: 'x',
    is_family: false,
    x_number: 0,
  }
}
