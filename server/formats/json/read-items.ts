import { type Document, DocumentError } from '../document.ts'
import { cutValue } from './cut-value.ts'
import { inexactIn } from './inexact.ts'
import { faultAt, type Input, inputOf, nextByte, placeOf } from './input.ts'
import { parseValue } from './parse-value.ts'

/** One item of a list in a document. */
export interface ReadItem {
  /** The name of the list; '' if the document itself is the list. */
  readonly list: string
  readonly index: number
  readonly value: unknown
  /** Losses of numeric precision. */
  readonly losses: readonly string[]
}

/** The remaining members of a document; they come last. */
export interface ReadRest {
  readonly rest: Readonly<Record<string, unknown>>
  /** Losses of numeric precision. */
  readonly losses: readonly string[]
}

const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22
const MEMBER_LIMIT = 1000

/**
 * Reads a JSON document item by item: the lists with these member names, or the document itself if '' is among them. Any error in the
 * document is a DocumentError. Memory holds one item at a time and the remaining members.
 */
export async function* readItems(document: Document, lists: readonly string[]): AsyncGenerator<ReadItem | ReadRest> {
  const input = await inputOf(document)
  try {
    const first = await nextByte(input)
    if (first === undefined) throw new DocumentError('The document is empty.')
    if (first === 0x5b && lists.includes('')) {
      yield* itemsOf(input, '')
      yield { rest: {}, losses: [] }
    } else if (first === 0x7b) yield* membersOf(input, lists)
    else throw faultAt(placeOf(input), `expected a JSON ${lists.includes('') ? 'object or list' : 'object'}.`)
    if ((await nextByte(input)) !== undefined)
      throw faultAt(placeOf(input), 'unexpected text after the end of the document.')
  } finally {
    await input.chunks.return?.()
  }
}

async function* membersOf(input: Input, lists: readonly string[]): AsyncGenerator<ReadItem | ReadRest> {
  const rest = new Map<string, unknown>()
  const names = new Set<string>()
  const losses: string[] = []
  for await (const _ of elementsOf(input, 0x7d)) {
    const place = placeOf(input)
    if ((await nextByte(input)) !== QUOTE) throw faultAt(place, 'expected a member name.')
    const name = String(parseValue(await cutValue(input)))
    if (names.has(name)) throw faultAt(place, `duplicate member ${JSON.stringify(name.slice(0, 100))}.`)
    if (names.size === MEMBER_LIMIT) throw faultAt(place, `the document has more than ${MEMBER_LIMIT} members.`)
    names.add(name)
    if ((await nextByte(input)) !== COLON) throw faultAt(placeOf(input), 'expected a colon.')
    input.at++
    const begin = await nextByte(input)
    if (begin === 0x5b && lists.includes(name)) yield* itemsOf(input, name)
    else {
      const cut = await cutValue(input)
      rest.set(name, parseValue(cut))
      losses.push(...inexactIn(cut.text, name))
    }
  }
  rest.delete('__proto__')
  yield { rest: Object.fromEntries(rest), losses }
}

async function* itemsOf(input: Input, list: string): AsyncGenerator<ReadItem> {
  let index = 0
  for await (const _ of elementsOf(input, 0x5d)) {
    const cut = await cutValue(input)
    yield { list, index, value: parseValue(cut), losses: inexactIn(cut.text) }
    index++
  }
}

/** Iterates between an opening and a closing bracket. The caller reads each element. */
async function* elementsOf(input: Input, closing: number): AsyncGenerator<void> {
  input.at++
  if ((await nextByte(input)) !== closing) {
    for (;;) {
      yield
      const byte = await nextByte(input)
      if (byte === closing) break
      if (byte === undefined) throw faultAt(placeOf(input), 'the document is incomplete.')
      if (byte !== COMMA) throw faultAt(placeOf(input), 'expected a comma or the end of the list or object.')
      input.at++
      await nextByte(input)
    }
  }
  input.at++
}
