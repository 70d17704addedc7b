import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exclusionsOf } from '../../domain/exclusions.ts'
import { documentOf } from '../../formats/document.ts'
import type { Reader } from '../../formats/finding.ts'
import { wayOf } from '../../formats/formats.ts'
import { excluding } from './excluding.ts'

const isExcluded = exclusionsOf([{ name: 'Ours', types: [], entries: ['our.org'] }])

test('exclusion lists apply to observables beyond the limit of a report, and the outcome counts them', async () => {
  const hosts = Array.from({ length: 10_000 }, (_, i) => `host-${i}.org\n`).join('')
  const document = documentOf(`a.our.org\n${hosts}b.our.org\nlast.org\nc.our.org\n`, 'list.txt')
  const { read } = await wayOf('text', document, {})
  const findings = await Array.fromAsync(excluding(read, isExcluded)(document))
  assert.deepEqual(
    findings.flatMap((finding) => (finding.kind === 'observable' ? [finding.observable.value] : [])),
    ['host-9999.org', 'last.org'],
  )
  const report = findings.find((finding) => finding.kind === 'entity')
  assert.ok(report)
  assert.deepEqual(report.notes, ["3 observables are on the exclusion list 'Ours'"])
  assert.deepEqual(report.excluded, [
    {
      list: 'Ours',
      count: 3,
      observables: ['b.our.org', 'c.our.org', 'a.our.org'].map((value) => ({ type: 'domain', value })),
    },
  ])
})

test('excluded observables without a following entity are reported separately', async () => {
  const read: Reader = async function* () {
    yield { kind: 'observable', at: 'line 1', observable: { type: 'domain', value: 'our.org' } }
  }
  assert.deepEqual(await Array.fromAsync(excluding(read, isExcluded)(documentOf(''))), [
    { kind: 'lost', at: 'document', losses: ["1 observables are on the exclusion list 'Ours'"] },
  ])
})
