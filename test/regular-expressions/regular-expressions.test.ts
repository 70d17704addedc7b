import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isTurnOf } from '../effort.ts'
import { built, constructions, type Expression, literals } from './collect.ts'
import { hostileTo, textOf } from './hostile-strings.ts'
import { type Machine, machineOf } from './machine.ts'

/** Functions that create expressions, none of them from content of a request. */
const FROM_CONSTANTS = new Map([
  ['server/http/addresses.ts', 'the names of collections, once when the server starts'],
  ['server/formats/text/identifiers.ts', 'patterns of the module itself, when it is loaded'],
  ['server/search/query/grammar.js', 'a constant of the generated parser'],
  ['web/generic/fields.ts', 'values that the document of this API lists'],
])

/** Files whose expressions match only what the user types into the search box. */
const TYPED = ['web/search/query-text.ts']

/** Lengths of the hostile texts: the shortest selects the worst of them, the others show how the work grows. */
const [SHORT, MIDDLE, LONG] = [80, 500, 2_000]
const WORST = 5
/** A text four times as long may take this many times the steps per character: 1 is linear, 4 quadratic. */
const GROWTH = 1.7
/** The maximum number of steps per character. Without it, a bound as wide as the text would pass. */
const STEPS = 400

const all = [...new Map([...literals(), ...(await built())].map((one) => [`${one.source} ${one.flags}`, one])).values()]

test('no regular expression is created from content of a request', () => {
  const made = constructions().filter(({ file, isAtModuleLevel }) => !isAtModuleLevel && !FROM_CONSTANTS.has(file))
  assert.deepEqual(made, [])
})

test('all regular expressions of the product are found', () => {
  assert.ok(all.length > 700, `only ${all.length}`)
  const places = new Set(all.map(({ place }) => place.split(':')[0]))
  for (const { file } of constructions()) {
    // Created only in a page, from escaped text between two fixed pieces.
    if (file !== 'web/generic/fields.ts') assert.ok(places.has(file), `what ${file} builds`)
  }
})

test('an expression that takes more than linear time is caught', () => {
  const slow = [
    'x+$',
    '(?:a|b)*c',
    '(a+)+$',
    '^\\s*(\\S+)\\s+(.*?)\\s*$',
    '[.]+$|^[.]+',
    '(\\d+)\\.(\\d+)',
    '(.*)*!',
    'k(?:\\w+-)*t',
  ]
  for (const source of slow) assert.ok(faultIn({ source, flags: '', place: '' }), source)
  const quick = ['(?<!x)x+$', '^[^=]*=(.*)$', '\\s+', '(?<![a-z])[a-z]{1,63}\\.', 'a|b|[^c]']
  for (const source of quick) assert.equal(faultIn({ source, flags: 'g', place: '' }), undefined, source)
})

test('the machine that counts steps finds what JavaScript finds', () => {
  for (const [i, expression] of all.entries()) {
    if (!isTurnOf(i, 5)) continue
    const machine = machineOf(expression)
    const flags = expression.flags.replaceAll(/[gy]/g, '')
    for (const hostile of hostileTo(machine).slice(0, 20)) {
      const text = textOf(hostile, 12)
      const match = new RegExp(expression.source, flags).exec(text)
      const found = machine.first(text)
      assert.equal(
        found && [...text].length >= 0,
        match ? true : undefined,
        `${expression.place} on ${JSON.stringify(text)}`,
      )
      if (match && !/[uv]/.test(flags)) {
        assert.deepEqual(
          found,
          [match.index, match.index + match[0].length],
          `${expression.place} on ${JSON.stringify(text)}`,
        )
      }
    }
  }
})

test('every regular expression takes time linear in the length of the text', () => {
  assert.deepEqual(
    all
      .filter(({ place }) => !TYPED.includes(place.split(':')[0] ?? ''))
      .flatMap((expression) => faultIn(expression) ?? []),
    [],
  )
})

/** How the steps of an expression grow faster than the text, if they do. */
function faultIn(expression: Expression): string | undefined {
  const machine = machineOf(expression)
  const worst = hostileTo(machine)
    .map((hostile) => ({ hostile, steps: stepsFor(machine, textOf(hostile, SHORT)) }))
    .sort((a, b) => b.steps - a.steps)
    .slice(0, WORST)
  for (const { hostile } of worst) {
    const [middle, long] = [stepsFor(machine, textOf(hostile, MIDDLE)), stepsFor(machine, textOf(hostile, LONG))]
    if (long > STEPS || long > GROWTH * middle) {
      return `${expression.place}: /${expression.source}/${expression.flags} takes ${Math.round(middle)}, then ${Math.round(long)} steps for each character of ${JSON.stringify(hostile)}`
    }
  }
  return undefined
}

/** Steps per character; Infinity above the limit. */
const stepsFor = (machine: Machine, text: string): number => machine.work(text, (STEPS + 1) * text.length) / text.length
