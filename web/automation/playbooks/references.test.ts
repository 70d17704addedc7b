import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StepKind } from './playbook.ts'
import { exported, inputValues, referenceField, referenceOf } from './references.ts'

const HOOK: StepKind = {
  kind: 'hook',
  title: 'Hook',
  description: '',
  outcomes: {},
  ends: [],
  collections: ['entities'],
  parameters: {
    properties: {
      secret: { format: 'password', writeOnly: true },
      datasets: { type: 'array', items: { 'x-corvus-collection': 'datasets' } },
      assignee: { anyOf: [{ 'x-corvus-collection': 'users' }, { type: 'null' }] },
    },
  },
  templates: [],
}

test('references are recognised in schemas, alone and in lists', () => {
  const { datasets, assignee, secret } = HOOK.parameters.properties ?? {}
  assert.deepEqual(referenceField(datasets ?? {}), { collection: 'datasets', isList: true })
  assert.deepEqual(referenceField(assignee ?? {}), { collection: 'users', isList: false })
  assert.equal(referenceField(secret ?? {}), undefined)
})

test('references by URL, id and name become values of inputs and back', () => {
  const values = inputValues(['http://corvus.test/api/v2/datasets/7', 8, { name: 'Blocking' }, 'TA0001:T1566'])
  assert.deepEqual(values, ['7', '8', 'name:Blocking', 'TA0001:T1566'])
  assert.deepEqual(values.map(referenceOf), [7, 8, { name: 'Blocking' }, 'TA0001:T1566'])
})

test('a playbook is exported with names in place of ids, and without secrets', () => {
  const step = {
    id: 'hook',
    kind: 'hook',
    name: null,
    only_if: [],
    on_failure: 'stop' as const,
    secret: 'stored',
    datasets: ['http://corvus.test/api/v2/datasets/7', 'http://corvus.test/api/v2/datasets/9'],
    assignee: null,
  }
  const names = (collection: string) => new Map(collection === 'datasets' ? [['7', 'Blocking']] : [])
  const trigger = { type: 'manual', collection: 'entities' }
  assert.deepEqual(exported({ name: 'A', description: null, trigger }, [step], [HOOK], names), {
    name: 'A',
    description: null,
    trigger,
    steps: [
      {
        id: 'hook',
        kind: 'hook',
        name: null,
        only_if: [],
        on_failure: 'stop',
        datasets: [{ name: 'Blocking' }, 'http://corvus.test/api/v2/datasets/9'],
        assignee: null,
      },
    ],
  })
})
