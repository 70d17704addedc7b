import type { Budget } from './budget.ts'
import { isTrue, listOf, numberOf, textOf, timeOf } from './values.ts'

/** A function that expressions can call. */
interface Call {
  readonly least: number
  readonly most: number
  apply(given: readonly unknown[], budget: Budget): unknown
}

const MAX_TEXT = 100_000

/** Applies a function to a text, or to each text of a list. Values that are neither a text nor a number become null. */
const ofTexts = (least: number, most: number, apply: (text: string, ...more: string[]) => unknown): Call => ({
  least,
  most,
  apply: ([value, ...more], budget) => {
    const others = more.map((each) => textOf(each) ?? '')
    const one = (each: unknown) => {
      const text = textOf(each)
      budget.spendOnSearch(text?.length ?? 0, others[0]?.length ?? 1)
      return text === undefined ? null : apply(text, ...others)
    }
    return Array.isArray(value) ? value.map(one).filter((each) => each !== null) : one(value)
  },
})

/** Applies a function to the numbers of a list. */
const ofNumbers = (apply: (numbers: readonly number[]) => number | null): Call => ({
  least: 1,
  most: 1,
  apply: ([value], budget) => {
    const list = listOf(value)
    budget.spend(list.length)
    return apply(list.flatMap((each) => numberOf(each) ?? []))
  },
})

const ofList = (least: number, most: number, apply: (list: readonly unknown[], second: unknown) => unknown): Call => ({
  least,
  most,
  apply: ([value, second], budget) => {
    const list = listOf(value)
    budget.spend(list.length)
    return apply(list, second)
  },
})

/** Whether a list has a value, or a text has a part. */
const contains: Call = {
  least: 2,
  most: 2,
  apply: ([value, wanted], budget) => {
    const [text, part] = [textOf(value), textOf(wanted)]
    if (Array.isArray(value)) {
      budget.spendOnSearch(32 * value.length, 1 + (part?.length ?? 0) / 32)
      return value.includes(wanted)
    }
    budget.spendOnSearch(text?.length ?? 0, part?.length ?? 0)
    return text !== undefined && part !== undefined && text.includes(part)
  },
}

const join: Call = {
  least: 1,
  most: 2,
  apply: ([value, separator], budget) => {
    const texts = listOf(value).flatMap((each) => textOf(each) ?? [])
    const by = textOf(separator) ?? ', '
    // Paid before it is made: it may be longer than any text can be.
    budget.spendOnText(texts.reduce((sum, text) => sum + text.length + by.length, 0))
    return texts.length === 0 ? null : texts.join(by).slice(0, MAX_TEXT)
  },
}

const concat: Call = {
  least: 1,
  most: 10,
  apply: (given, budget) => {
    const texts = given.map((each) => textOf(each) ?? '')
    budget.spendOnText(texts.reduce((sum, text) => sum + text.length, 0))
    return texts.join('').slice(0, MAX_TEXT)
  },
}

const split: Call = {
  least: 2,
  most: 2,
  apply: ([value, separator], budget) => {
    const by = textOf(separator) ?? ''
    return listOf(value).flatMap((each) => {
      const text = textOf(each) ?? ''
      budget.spendOnSearch(text.length, by.length)
      const parts = by === '' ? [text] : text.split(by)
      budget.spend(parts.length)
      return parts.map((part) => part.trim()).filter((part) => part !== '')
    })
  },
}

/** Replaces a part of a text, or of each text of a list. */
const replace: Call = {
  least: 3,
  most: 3,
  apply: ([value, from, to], budget) => {
    const [part, by] = [textOf(from) ?? '', textOf(to) ?? '']
    const one = (each: unknown) => {
      const text = textOf(each)
      if (text === undefined || part === '') return text ?? null
      // Paid before it is made: it may be longer than any text can be.
      budget.spendOnSearch(text.length, Math.max(part.length, by.length))
      return text.replaceAll(part, () => by)
    }
    return Array.isArray(value) ? value.map(one).filter((each) => each !== null) : one(value)
  },
}

/** The names of the members of an object. */
const keys: Call = {
  least: 1,
  most: 1,
  apply: ([value], budget) => {
    const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
    budget.spend(names.length)
    return names
  },
}

const length: Call = {
  least: 1,
  most: 1,
  apply: ([value], budget) => {
    if (typeof value === 'string' || Array.isArray(value)) return value.length
    const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
    budget.spend(names.length)
    return names.length
  },
}

const withoutPrefix = (text: string, prefix: string): string =>
  text.startsWith(prefix) ? text.slice(prefix.length) : text
const positive = (value: unknown): number => Math.max(0, Math.floor(numberOf(value) ?? 0))

/** The functions of expressions by name. None of them calls anything outside. */
export const CALLS: ReadonlyMap<string, Call> = new Map(
  Object.entries({
    concat,
    contains,
    ends_with: ofTexts(2, 2, (text, end = '') => text.endsWith(end)),
    first: ofList(1, 1, (list) => list.find((each) => each !== null) ?? null),
    join,
    keys,
    length,
    lower: ofTexts(1, 1, (text) => text.toLowerCase()),
    max: ofNumbers((numbers) => (numbers.length === 0 ? null : numbers.reduce((a, b) => Math.max(a, b)))),
    min: ofNumbers((numbers) => (numbers.length === 0 ? null : numbers.reduce((a, b) => Math.min(a, b)))),
    replace,
    split,
    starts_with: ofTexts(2, 2, (text, start = '') => text.startsWith(start)),
    sum: ofNumbers((numbers) => numbers.reduce((a, b) => a + b, 0)),
    take: ofList(2, 2, (list, count) => list.slice(0, positive(count))),
    to_number: ofTexts(1, 1, (text) => numberOf(text) ?? null),
    to_text: ofTexts(1, 1, (text) => text),
    to_time: ofTexts(1, 1, (text) => timeOf(text) ?? null),
    unique: ofList(1, 1, (list) => [...new Set(list)]),
    upper: ofTexts(1, 1, (text) => text.toUpperCase()),
    when: { least: 2, most: 3, apply: ([test, yes, no = null]) => (isTrue(test) ? yes : no) },
    without_prefix: ofTexts(2, 2, (text, prefix = '') => withoutPrefix(text, prefix)),
  } satisfies Record<string, Call>),
)
