import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { compileReader, DECLINED } from './compiled-reader.ts'

const level = z.enum(['low', 'high'])
const upper = z.string().transform((text) => text.toUpperCase())
const known = new Map([[upper, (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : DECLINED)]])

/** All kinds of schemas, nested. */
const record = z.looseObject({
  kind: z.literal('a'),
  text: z.string().min(1).max(3).optional(),
  exact: z
    .string()
    .length(3)
    .refine((text) => text !== 'low')
    .optional(),
  list: z.array(level).max(2).optional(),
  number: z.int().min(-1).max(2).nullable().optional(),
  whole: z.int().optional(),
  either: z.union([z.string().max(1), level, z.looseObject({ text: z.string(), loud: upper.optional() })]).optional(),
  trimmed: z.string().trim().min(1).optional(),
  even: z
    .int()
    .refine((number) => number % 2 === 0)
    .optional(),
  format: z.iso.date().optional(),
  exactly: z.strictObject({ text: z.string() }).optional(),
  plain: z.object({ text: z.string().optional() }).optional(),
  tuple: z.tuple([z.string()]).optional(),
  flag: z.boolean().optional(),
  loud: upper.optional(),
  inner: z
    .looseObject({ number: z.number().optional() })
    .check(({ value, issues }) => {
      if ('bad' in value) issues.push({ code: 'custom', input: value, message: 'is bad' })
    })
    .optional(),
})

const other = z.looseObject({ kind: z.literal('b'), level })

const body = z.object({
  data: z.discriminatedUnion('kind', [record, other]),
  level: level.nullish().transform((value) => value ?? undefined),
  levels: z.array(level).optional(),
})

const word = fc.constantFrom('', 'a', ' a ', 'low', 'high', 'lower', 'abcd', '2026-11-17', 'é', '💡')
const value = fc.oneof(
  word,
  fc.integer({ min: -3, max: 4 }),
  fc.constantFrom(null, true, 0.5, Number.MAX_SAFE_INTEGER + 1),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('text', 'loud', 'number', 'bad', 'more'), fc.oneof(word, fc.integer()), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
)
/** Usually a value that the property accepts, sometimes any value. */
const mostly = (...fitting: unknown[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fitting) }, value)
const data = fc.record(
  {
    kind: mostly('a', 'a', 'a', 'b'),
    level: mostly('low'),
    text: mostly('a', 'abc'),
    exact: mostly('abc'),
    list: mostly([], ['low', 'high']),
    number: mostly(-1, 2, null),
    whole: mostly(5),
    either: mostly('a', '💡', '💡a', 'low', { text: 'a' }, { text: '', loud: 'x', more: null }),
    trimmed: mostly('a', ' b '),
    even: mostly(2),
    format: mostly('2026-11-17'),
    exactly: mostly({ text: '' }),
    plain: mostly({}, { text: '', more: 1 }),
    tuple: mostly(['a']),
    flag: mostly(true, false),
    loud: mostly('x', ''),
    inner: mostly({}, { number: 0.5, more: 1 }),
    more: value,
  },
  { requiredKeys: ['kind', 'level'], noNullPrototype: true },
)
const bodies = fc.record(
  {
    data: fc.oneof({ weight: 15, arbitrary: data }, value),
    level: mostly('low', null, undefined),
    levels: mostly([], ['low']),
    unknown: value,
  },
  { requiredKeys: [], noNullPrototype: true },
)

test('a reader returns what Zod returns, declines what Zod refuses, and modifies nothing', () => {
  const read = compileReader(body, known)
  let accepted = 0
  fc.assert(
    fc.property(bodies, (sent) => {
      const { success, data: wanted } = body.safeParse(sent)
      const before = structuredClone(sent)
      const found = read(sent)
      assert.deepEqual(sent, before)
      assert.equal(found !== DECLINED, success)
      if (success) assert.deepEqual(found, wanted)
      accepted += Number(success)
    }),
    { numRuns: 4_000 },
  )
  assert.ok(accepted > 200)
})

test('a loose object whose values do not change is returned itself', () => {
  const read = compileReader(record, known)
  const sent = { kind: 'a', text: 'abc', more: { deep: [1] } }
  assert.equal(read(sent), sent)
  assert.deepEqual(read({ ...sent, loud: 'x' }), { ...sent, loud: 'X' })
})

test('a default fills in what is absent', () => {
  assert.deepEqual(compileReader(z.object({ level: level.default('low') }))({}), { level: 'low' })
})

test('a schema may contain itself', () => {
  const tree = z.looseObject({
    name: z.string(),
    get children() {
      return z.array(tree).optional()
    },
  })
  const read = compileReader(tree)
  const sent = { name: 'a', children: [{ name: 'b', children: [] }] }
  assert.equal(read(sent), sent)
  assert.equal(read({ name: 'a', children: [{ name: 1 }] }), DECLINED)
})
