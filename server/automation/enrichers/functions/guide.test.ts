import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lookUpWithAnswers, received } from '../../../../test/set-up/recorded-answers.ts'
import { root } from '../../../config.ts'
import { parseDefinition } from './http/define.ts'
import { CALLS } from './http/expressions/calls.ts'
import { shippedDefinitions } from './shipped.ts'

const guide = readFileSync(join(root, 'docs/enricher-definitions.md'), 'utf8')
const documents = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, json = '']) => JSON.parse(json))

test('the example of the guide works as the guide says', async () => {
  const [body, definition] = documents
  const parsed = parseDefinition('reputation', definition)
  assert.ok('function' in parsed, JSON.stringify(parsed))
  const observable = { type: 'domain', value: 'bad.example' }
  const { ended, requests } = await lookUpWithAnswers(parsed.function, observable, [received({ status: 200, body })])
  assert.deepEqual(
    requests.map(({ url, headers }) => [url, headers?.['x-api-key']]),
    [['https://reputation.example/v1/domains/bad.example', 'secret-api_key']],
  )
  assert.deepEqual(ended, {
    state: 'FOUND',
    findings: [
      { kind: 'verdict', maliciousness: 'high', reason: 'The score is 82 of 100.' },
      { kind: 'tag', value: 'phishing' },
      {
        kind: 'link',
        relation: 'resolves-to',
        observable: { type: 'ipv4', value: '192.0.2.9' },
        last_seen: '2024-02-01T00:00:00.000000+00:00',
      },
      { kind: 'entity', type: 'tool', id: '17', title: 'Example Kit', url: 'https://reputation.example/kits/17' },
    ],
    warnings: [],
  })
})

test('the parts that the guide shows are accepted', () => {
  const [, definition, request, answers] = documents
  for (const part of [{ requests: [request] }, { answers }]) {
    const parsed = parseDefinition('reputation', { ...definition, ...part })
    assert.ok('function' in parsed, JSON.stringify(parsed))
  }
})

test('the guide names every function of expressions and every definition of the platform', () => {
  for (const name of CALLS.keys()) assert.ok(guide.includes(`${name}(`), name)
  for (const { name, title } of shippedDefinitions) {
    assert.ok(
      guide.split('\n').some((line) => line.startsWith(`| \`${name}\` `) && line.includes(`| ${title} `)),
      name,
    )
  }
})
