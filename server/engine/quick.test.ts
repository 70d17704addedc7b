import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { z } from 'zod'
import { absentWhenNull, apart, quickly, quickOf, sparse, UNSURE } from './quick.ts'

const level = z.enum(['low', 'high'])
const upper = () =>
  quickly(
    z.string().transform((text) => text.toUpperCase()),
    (value) => (typeof value === 'string' ? value.toUpperCase() : UNSURE),
  )

/** The same form twice, for a reader and for Zod alone: all kinds of parts, one in the other. */
const record = () =>
  z.looseObject({
    kind: z.literal('a'),
    text: z.string().min(1).max(3).optional(),
    list: z.array(level).max(2).optional(),
    number: z.int().min(-1).max(2).nullable().optional(),
    either: z
      .union([z.string().max(1), level, z.looseObject({ text: z.string(), loud: upper().optional() })])
      .optional(),
    trimmed: z.string().trim().min(1).optional(),
    even: z
      .int()
      .refine((number) => number % 2 === 0)
      .optional(),
    format: z.iso.date().optional(),
    exactly: z.strictObject({ text: z.string() }).optional(),
    tuple: z.tuple([z.string()]).optional(),
    flag: z.boolean().optional(),
    loud: upper().optional(),
    inner: z
      .looseObject({ number: z.number().optional() })
      .check(({ value, issues }) => {
        if ('bad' in value) issues.push({ code: 'custom', input: value, message: 'is bad' })
      })
      .optional(),
  })

const other = () => z.looseObject({ kind: z.literal('b'), level })

const body = (first: z.ZodObject, second: z.ZodObject) =>
  z.object({
    data: z.discriminatedUnion('kind', [first, second] as never),
    level: absentWhenNull(level),
    levels: z.array(level).optional(),
  })

const plain = body(record(), other())
const quick = apart(body(sparse(record()), sparse(other())))
const read = quickOf(quick)

const word = fc.constantFrom('', 'a', ' a ', 'low', 'high', 'lower', 'abcd', '2026-11-17', 'é', '💡')
const value = fc.oneof(
  word,
  fc.integer({ min: -3, max: 4 }),
  fc.constantFrom(null, true, 0.5, Number.MAX_SAFE_INTEGER + 1),
  fc.array(word, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('text', 'loud', 'number', 'bad', 'more'), fc.oneof(word, fc.integer()), { maxKeys: 3 }),
)
/** Mostly what a property takes, now and then anything. */
const mostly = (...fitting: unknown[]) => fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...fitting) }, value)
const data = fc.record(
  {
    kind: mostly('a', 'a', 'a', 'b'),
    level: mostly('low'),
    text: mostly('a', 'abc'),
    list: mostly([], ['low', 'high']),
    number: mostly(-1, 2, null),
    either: mostly('a', 'low', { text: 'a' }, { text: '', loud: 'x', more: null }),
    trimmed: mostly('a', ' b '),
    even: mostly(2),
    format: mostly('2026-11-17'),
    exactly: mostly({ text: '' }),
    tuple: mostly(['a']),
    flag: mostly(true, false),
    loud: mostly('x', ''),
    inner: mostly({}, { number: 0.5, more: 1 }),
    more: value,
  },
  { requiredKeys: ['kind', 'level'] },
)
const bodies = fc.record(
  {
    data: fc.oneof({ weight: 15, arbitrary: data }, value),
    level: mostly('low', null, undefined),
    levels: mostly([], ['low']),
    unknown: value,
  },
  { requiredKeys: [] },
)

test('what is read at once is what Zod makes of it, and what is not is left to Zod', () => {
  let sure = 0
  let fine = 0
  fc.assert(
    fc.property(bodies, (sent) => {
      const { success, data: wanted } = plain.safeParse(structuredClone(sent))
      const found = read?.(structuredClone(sent))
      if (success) fine++
      if (found !== UNSURE) {
        sure++
        assert.ok(success, 'Zod refuses it')
        assert.deepEqual(found, wanted)
      }
      const again = quick.safeParse(structuredClone(sent))
      assert.equal(again.success, success)
      assert.deepEqual(again.data, wanted)
    }),
    { numRuns: 4_000 },
  )
  assert.ok(fine > 200)
  assert.ok(sure > 0.9 * fine, `only ${sure} of ${fine} were read at once`)
})

test('an object is read apart, and a record where it is', () => {
  const sent = { data: { kind: 'a', loud: 'x', more: 1 }, unknown: 1 }
  assert.deepEqual(read?.(sent), { data: { kind: 'a', loud: 'X', more: 1 } })
  assert.deepEqual(sent, { data: { kind: 'a', loud: 'X', more: 1 }, unknown: 1 })
})

test('an object with a default for what is absent is left to Zod', () => {
  assert.equal(quickOf(apart(z.object({ level: level.default('low') }))), undefined)
})
