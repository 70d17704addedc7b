import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exclusionsOf } from '../../domain/exclusions.ts'
import { documentOf } from '../document.ts'
import { countExclusions } from './exclusion-count.ts'
import { leaveOut } from './leave-out.ts'
import { readText } from './read-text.ts'

test('excluded observables are removed from observables and extracts, and counted per list', async () => {
  const [finding] = await Array.fromAsync(readText(documentOf('bad.org, our.org, http://our.org/x and 10.1.2.3')))
  assert.ok(finding?.kind === 'entity')
  const exclusion = exclusionsOf([
    { name: 'Ours', types: [], entries: ['our.org'] },
    { name: 'Private', types: [], entries: ['10.0.0.0/8'] },
  ])
  const count = countExclusions()
  const entity = leaveOut(finding.entity, exclusion, count)
  assert.deepEqual(entity.observables, [{ type: 'domain', value: 'bad.org' }])
  assert.deepEqual(
    (entity.data.extracts as { value: string }[]).map(({ value }) => value),
    ['bad.org'],
  )
  assert.deepEqual(
    count.take().map(({ list, count }) => [list, count]),
    [
      ['Ours', 2],
      ['Private', 1],
    ],
  )
  assert.equal(
    leaveOut(finding.entity, () => undefined, count),
    finding.entity,
  )
  assert.ok(!('extracts' in leaveOut(finding.entity, () => 'All', count).data))
})
