import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namesFrom } from './names.ts'
import type { Step, StepKind } from './playbook.ts'
import { stepSentence } from './step-words.ts'

const kind = (name: string, outcomes: readonly string[]): StepKind => ({
  kind: name,
  title: `Do ${name}`,
  description: '',
  outcomes: Object.fromEntries(outcomes.map((each) => [each, ''])),
  ends: [],
  collections: ['entities'],
  parameters: {},
  templates: [],
})

const KINDS = [kind('enrich', ['malicious', 'safe', 'not_found']), kind('add_to', ['added']), kind('dance', [])]

const NAMES = namesFrom((collection) =>
  collection === 'enrichers' ? new Map([['3', 'VirusTotal']]) : new Map([['8', 'Blocking']]),
)

const step = (given: Partial<Step> & Pick<Step, 'id' | 'kind'>): Step => ({
  name: null,
  only_if: [],
  on_failure: 'stop',
  ...given,
})

const ASK = step({ id: 'ask', kind: 'enrich', enrichers: ['http://corvus.test/api/v2/enrichers/3'] })

const told = (steps: readonly Step[], place: number): string => {
  const { condition, words } = stepSentence(steps, place, KINDS, NAMES)
  return condition === undefined ? words : `${condition}: ${words}`
}

test('a step reads as a sentence with the names of what it works with', () => {
  assert.equal(told([ASK], 0), 'Ask VirusTotal and wait')
  assert.equal(told([step({ id: 'a', kind: 'enrich', enrichers: [] })], 0), 'Ask enrichers and wait')
  const tag = step({ id: 'a', kind: 'tag', added: ['a', 'b'], removed: ['c'] })
  assert.equal(told([tag], 0), 'Add the tags a and b and remove the tag c')
  const byName = step({ id: 'a', kind: 'add_to', datasets: [{ name: 'Elsewhere' }], workspaces: [] })
  assert.equal(told([byName], 0), 'Add to dataset Elsewhere')
  assert.equal(told([step({ id: 'a', kind: 'webhook', url: 'https://hook.example/in?x=1' })], 0), 'Call hook.example')
  assert.equal(told([step({ id: 'a', kind: 'dance' })], 0), 'Do dance')
  assert.equal(told([step({ id: 'a', kind: 'tag', name: 'My own words' })], 0), 'My own words')
})

test('a condition names the step only if several have such an outcome', () => {
  const block = step({
    id: 'block',
    kind: 'add_to',
    datasets: ['8'],
    only_if: [{ step: 'ask', outcome: ['malicious', 'not_found'] }],
  })
  assert.equal(told([ASK, block], 1), 'If malicious or not found: add to dataset Blocking')
  const again = { ...ASK, id: 'again' }
  assert.equal(told([ASK, again, block], 2), 'If malicious or not found (step 1): add to dataset Blocking')
  assert.equal(told([block, ASK], 0), 'If malicious or not found (step ask): add to dataset Blocking')
  const matching = step({ id: 'x', kind: 'add_to', datasets: ['8'], only_if: [{ query: 'tags:a' }] })
  assert.equal(told([matching], 0), 'If it matches tags:a: add to dataset Blocking')
})
