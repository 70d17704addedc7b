import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { BASE, startApp } from '../../../test/app.ts'
import { importFindings } from '../../../test/set-up/importing.ts'
import type { Finding, FoundEntity } from '../../formats/finding.ts'

const corvus = await startApp()
after(() => corvus.stop())

const malware = (title: string, rest: Partial<FoundEntity>): Finding => ({
  kind: 'entity',
  at: title,
  entity: { data: { type: 'malware', id: `malware--${randomUUID()}`, title }, ...rest },
})

const urls = (ids: readonly string[]) => ids.map((id) => `${BASE}/api/v2/attacks/${id}`)

async function attacksOf(title: string) {
  const { body } = await corvus.call('GET', `entities?query=${encodeURIComponent(`data.title:"${title}"`)}`)
  return body.data[0].meta.attacks
}

test('words of documents become nodes, and what was replaced or is unknown is reported', async () => {
  const { outcomes } = await importFindings(corvus, [
    malware('Placed', { attacks: [{ id: 'T1078', tactics: [{ name: 'persistence' }] }] }),
    malware('Unplaced', { meta: { attacks: ['T1566', 'TA0040'] } }),
    malware('Revoked', { attacks: [{ id: 'T1086' }] }),
    malware('Unknown', { meta: { attacks: ['T9999'] }, attacks: [{ id: 'T9998', tactics: [{ name: 'TA0005' }] }] }),
    malware('No id', { meta: { attacks: ['T0000:none', 'TA0001'] } }),
    malware('Nothing', { attacks: [{ id: 'attack-pattern--00000000-0000-4000-8000-000000000000' }] }),
  ])
  const expected: Readonly<Record<string, readonly string[]>> = {
    Placed: ['TA0003:T1078'],
    Unplaced: ['TA0001:T1566', 'TA0040'],
    Revoked: ['TA0002:T1059.001'],
    Unknown: ['T9999', 'TA0005:T9998'],
    'No id': ['TA0001'],
    Nothing: [],
  }
  for (const [title, ids] of Object.entries(expected)) assert.deepEqual(await attacksOf(title), urls(ids), title)
  assert.deepEqual(
    outcomes.map(({ outcome, notes, details }) => [outcome, notes, details]),
    [
      ['created', [], []],
      ['created', [], []],
      ['created', ['TA0002:T1086 is revoked and was replaced by TA0002:T1059.001.'], []],
      [
        'created',
        ['T9999', 'TA0005:T9998'].map(
          (id) => `${id} is unknown in the loaded versions of the attack frameworks. It was kept.`,
        ),
        [],
      ],
      ['created', [], ["'T0000:none' is not the id of an attack node."]],
      ['created', [], []],
    ],
  )
})

test('unknown ids are shown as unknown in the heat of a matrix', async () => {
  const { body } = await corvus.call('GET', 'attacks/heat?matrix=enterprise-attack')
  const outside = body.outside as { id: string; state: string }[]
  assert.deepEqual(
    outside.map(({ id, state }) => [id, state]),
    [
      ['T9999', 'unknown'],
      ['TA0005:T9998', 'unknown'],
    ],
  )
})
