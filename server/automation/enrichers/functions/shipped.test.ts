import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { effort } from '../../../../test/effort.ts'
import { corruptionsOf } from '../../../../test/set-up/corruptions.ts'
import {
  bytesOf,
  lookUpWithAnswers,
  parametersOf,
  received,
  recordedAnswers,
} from '../../../../test/set-up/recorded-answers.ts'
import { root } from '../../../config.ts'
import { definitionOf } from '../../../domain/observables/types.ts'
import { masked, maskedRequest } from '../lanes/masked.ts'
import { planEntities } from '../lanes/store-entities.ts'
import { shippedDefinitions } from './shipped.ts'

const recorded = recordedAnswers()

const named = (name: string) => {
  const known = shippedDefinitions.find((each) => each.name === `http:${name}`)
  assert.ok(known, `there is no definition ${name}`)
  return known
}

test('at least twenty definitions come with the platform, each with answers of every kind', () => {
  assert.ok(shippedDefinitions.length >= 20)
  for (const { name } of shippedDefinitions) {
    const own = recorded.filter(({ definition }) => `http:${definition}` === name)
    for (const kind of ['found', 'not-found', 'limit-reached']) {
      assert.ok(
        own.some((each) => each.name.startsWith(kind)),
        `${name} has no recorded answer ${kind}`,
      )
    }
  }
})

for (const { definition, name, observable, answers, expected } of recorded) {
  test(`the answer ${name} of ${definition} has the expected meaning`, async () => {
    const { ended } = await lookUpWithAnswers(
      named(definition),
      observable,
      answers.map((each) => received(each)),
    )
    const { message: _, ...end } = ended as Record<string, unknown>
    assert.deepEqual(end, expected)
    const kind = name.startsWith('found') ? { state: 'FOUND' } : name === 'not-found' ? { state: 'EMPTY' } : {}
    assert.partialDeepStrictEqual(end, name === 'limit-reached' ? { fault: 'limited' } : kind)
  })
}

test('entities that definitions find can be stored', async () => {
  let planned = 0
  for (const { definition, observable, expected } of recorded) {
    const { findings = [] } = expected as { findings?: Parameters<typeof planEntities>[0] }
    const owner = { enricher: 1, name: definition, source: '00000000-0000-4000-8000-000000000001' }
    const { items, warnings } = planEntities(findings, owner, observable, 1)
    assert.deepEqual(warnings, [], definition)
    planned += items.length
  }
  assert.ok(planned > 10)
})

/** A valid value of each type that a definition looks up. */
const exampleOf = (type: string): string => {
  const { examples } = definitionOf(type as Parameters<typeof definitionOf>[0])
  return String(examples?.good[0]?.[1])
}

test('each definition sends the right request for each of its types, and its secrets are masked', async () => {
  const lines: string[] = []
  for (const known of shippedDefinitions) {
    const parameters = parametersOf(known)
    const secrets = known.secrets.map((name) => String(parameters[name]))
    for (const type of known.supportedTypes) {
      const { requests } = await lookUpWithAnswers(known, { type, value: exampleOf(type) }, [
        { status: 404, headers: {}, body: Buffer.from('{}') },
      ])
      for (const request of requests) {
        const { method, url, headers, body } = maskedRequest(request, secrets)
        const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
        lines.push([known.name, type, method, url, ...shown, body ?? ''].join(' | ').trimEnd())
        const [, basic = ''] = /^Basic (.*)$/.exec(request.headers?.authorization ?? '') ?? []
        const sent = JSON.stringify([
          request.url,
          request.headers,
          request.body,
          Buffer.from(basic, 'base64').toString(),
        ])
        if (secrets.length > 0) assert.notEqual(sent, masked(sent, secrets), `${known.name} does not send its secret`)
      }
    }
    await setImmediate()
  }
  assert.equal(lines.join('\n').includes('secret-'), false)
  assert.deepEqual(lines, readFileSync(join(root, 'test/enrichers/requests.txt'), 'utf8').trimEnd().split('\n'))
})

test('corrupted answers of every definition become findings with warnings, nothing, or a fault', async () => {
  const perDefinition = effort(200, 20)
  for (const known of shippedDefinitions) {
    const own = recorded.filter(
      ({ definition, name }) => `http:${definition}` === known.name && name.startsWith('found'),
    )
    for (let i = 0; i < perDefinition; i++) {
      const { observable, answers } = own[i % own.length] ?? {}
      assert.ok(observable && answers)
      const corrupted = answers.map((answer) => {
        const { seed, body } = corruptionsOf(bytesOf(answer), i)
        return { seed, answer: received(answer, body) }
      })
      const { ended } = await lookUpWithAnswers(
        known,
        observable,
        corrupted.map(({ answer }) => answer),
      )
      const what = `${known.name} ${corrupted.map(({ seed }) => seed).join()}`
      if ('fault' in ended)
        assert.ok(['unreadable', 'refused', 'limited'].includes(ended.fault), `${what}: ${ended.fault}`)
      else if (ended.state === 'FOUND') {
        assert.ok(ended.findings.length <= 500, what)
        // What is found can be sent as it is: nothing in it is undefined, and no half of a surrogate pair is left.
        assert.deepEqual(JSON.parse(JSON.stringify(ended.findings)), ended.findings, what)
        assert.ok(JSON.stringify(ended.findings).isWellFormed(), what)
      } else assert.equal(ended.state, 'EMPTY', what)
      await setImmediate()
    }
  }
})
