import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyJson } from '../../../../../../test/any-json.ts'
import { effort } from '../../../../../../test/effort.ts'
import { jsonOf } from '../../answers.ts'
import { Budget, BudgetExceeded } from './budget.ts'
import { evaluate } from './evaluate.ts'
import { parseExpression } from './parse.ts'
import { ExpressionError } from './tokens.ts'

const variables = { value: 'example.org', type: 'domain', status: 200 }

const evaluated = (source: string, answer: unknown, budget = new Budget()): unknown =>
  evaluate(parseExpression(source), answer, { root: answer, variables, budget })

const answer = {
  count: 3,
  none: null,
  'hyphen-ated': 1,
  'with:colon': 2,
  nested: { a: { b: 'deep' }, empty: [] },
  list: [
    { name: 'x', score: 5, tags: ['p', 'q'] },
    { name: 'y', score: 50, tags: ['q'] },
    { name: 'z', score: null, tags: null },
  ],
  stats: { bad: 2, good: 70 },
  names: 'a.example.org\n*.example.org\n\n',
}

const cases: readonly (readonly [string, unknown])[] = [
  ['count', 3],
  ['@.count', 3],
  ['$.nested.a.b', 'deep'],
  ['missing.a.b', null],
  ['hyphen-ated', 1],
  ['"with:colon"', 2],
  ['list[0].name', 'x'],
  ['list[-1].name', 'z'],
  ['list[7].name', null],
  ['list[*].name', ['x', 'y', 'z']],
  ['list[*].tags[*]', ['p', 'q', 'q']],
  ['list[*].tags[0]', ['p', 'q']],
  ['(list[*].tags)[0]', ['p', 'q']],
  ['list[?score >= 10].name', ['y']],
  ["list[?name == 'x' || score == 50].score", [5, 50]],
  ["list[?contains(tags, 'q') && !(name == 'x')].name", ['y']],
  ['stats[*]', [2, 70]],
  ['keys(stats)', ['bad', 'good']],
  ['sum(stats[*])', 72],
  ['max(list[*].score)', 50],
  ['max(nested.empty)', null],
  ['length(list)', 3],
  ['length(stats)', 2],
  ["none || 'default'", 'default'],
  ['nested.empty || count', 3],
  ['(count) > 2', true],
  ["count > 'a'", false],
  ['count == 3 && stats.good != 3', true],
  ['first(list[*].name)', 'x'],
  ['take(list[*].name, 2)', ['x', 'y']],
  ["join(list[*].name, '; ')", 'x; y; z'],
  ["join(nested.empty, ', ')", null],
  ['unique(list[*].tags[*])', ['p', 'q']],
  ["unique(without_prefix(split(names, '\\n'), '*.'))", ['a.example.org', 'example.org']],
  ["concat('AS', count)", 'AS3'],
  ["starts_with($value, 'example')", true],
  ["ends_with($value, '.org')", true],
  ['$status == 200', true],
  ["to_number('3.5')", 3.5],
  ["to_number('3.5 x')", null],
  ["to_time('2024-02-01 10:00:00 UTC')", '2024-02-01T10:00:00.000000+00:00'],
  ['to_time(1706745600)', '2024-02-01T00:00:00.000000+00:00'],
  ['to_time(1706745600000)', '2024-02-01T00:00:00.000000+00:00'],
  ["replace('a.b.c', '.', '$&')", 'a$&b$&c'],
  ['upper(list[*].name)', ['X', 'Y', 'Z']],
  ["when(count > 2, 'many', 'few')", 'many'],
  ["when(count > 5, 'many')", null],
  ["'it\\'s {here}'", "it's {here}"],
  ['toString', null],
  ['constructor.name', null],
  ['__proto__', null],
  ['list.length', null],
]

for (const [source, expected] of cases) {
  test(`${source} is ${JSON.stringify(expected)}`, () => {
    assert.deepEqual(evaluated(source, jsonOf(Buffer.from(JSON.stringify(answer)))), expected)
    assert.deepEqual(evaluated(source, answer), expected)
  })
}

const faults: readonly (readonly [string, RegExp])[] = [
  ['', /^column 1: the expression is not complete/],
  ['a.', /^column 3: the name of a member is expected/],
  ['a[', /^column 3: a position or '\*' is expected/],
  ['a[1', /^column 4: '\]' is expected/],
  ['a b', /^column 3: 'b' is not expected/],
  ['a == ', /not complete/],
  ['a; b', /^column 2: ';' is not expected/],
  ["'open", /^column 1: the text has no closing quote/],
  ["'\\x'", /a backslash stands only before/],
  ['eval(a)', /^column 1: there is no function 'eval', only concat, contains/],
  ['length()', /length takes 1 arguments, not 0/],
  ['$secret', /'\$secret' is none of/],
  [`${'('.repeat(30)}a${')'.repeat(30)}`, /nested at most 20 levels/],
  [`${'!'.repeat(500)}a`, /nested at most 20 levels/],
  [`a${'[?b'.repeat(40)}`, /nested at most 20 levels/],
  ['a'.repeat(1001), /at most 1000 characters/],
]

for (const [source, message] of faults) {
  test(`an expression ${JSON.stringify(source.slice(0, 40))} is refused with its column`, () => {
    assert.throws(
      () => parseExpression(source),
      (error) => error instanceof ExpressionError && message.test(error.message),
    )
  })
}

const long = Array.from({ length: 20_000 }, (_, i) => ({ a: i, t: 'x'.repeat(50) }))

const hostile: readonly string[] = [
  `list[?$.list[?$.list[?$.list[?a == 1]]]]`,
  `list[*].t[*]${'[*]'.repeat(20)} || list[?length($.list[*].t) > 0]`,
  `join(list[?join($.list[*].t, $.list[0].t)].t, 'x')`,
  `join($.list[*].t, join($.list[*].t, ''))`,
  `list[?contains(join($.list[*].t, ''), join($.list[*].t, ''))]`,
  `list[?replace(join($.list[*].t, ''), 'x', join($.list[*].t, '')) == 'y']`,
  `list[?length(split(join($.list[*].t, ''), 'x')) == 1]`,
  `list[?keys($.list[*]) || unique($.list[*].t)]`,
]

for (const source of hostile) {
  test(`${source.slice(0, 60)} ends at the budget`, () => {
    assert.throws(() => evaluated(source, { list: long }), BudgetExceeded)
  })
}

test('any text is an expression or refused, and any expression has a value for any answer', () => {
  const piece = fc.constantFrom(
    ...['a', 'b', '.', '[', ']', '[*]', '[?', '[0]', '(', ')', '==', '<', '||', '&&', '!', "'x'", '"y"', '1', '@', '$'],
    ...[
      'length(',
      'join(',
      'keys(',
      'max(',
      'unique(',
      'when(',
      ',',
      ' ',
      '$value',
      'null',
      'true',
      '\\',
      '{',
      '\u0000',
      '😀',
    ],
  )
  const source = fc.oneof(
    fc.string(),
    fc.array(piece, { maxLength: 20 }).map((pieces) => pieces.join('')),
  )
  fc.assert(
    fc.property(source, anyJson(4), (text, value) => {
      try {
        const result = evaluated(text, value)
        assert.notEqual(result, undefined)
      } catch (error) {
        assert.ok(error instanceof ExpressionError || error instanceof BudgetExceeded, String(error))
      }
    }),
    { numRuns: effort(20_000, 1000) },
  )
})
