import { type Document, DocumentError } from '../document.ts'
import { cutValue } from './cut-value.ts'
import { inexactIn } from './inexact.ts'
import { faultAt, type Input, inputOf, nextByte, placeOf } from './input.ts'
import { parseValue } from './parse-value.ts'

/** One item of a list that is the bulk of a document. */
export interface ReadItem {
  /** The name of the list; '' where the document itself is the list. */
  readonly list: string
  readonly index: number
  readonly value: unknown
  /** What of its numbers was lost. */
  readonly losses: readonly string[]
}

/** What a document says beside its lists; it comes last. */
export interface ReadRest {
  readonly rest: Readonly<Record<string, unknown>>
  /** What of its numbers was lost. */
  readonly losses: readonly string[]
}

const COMMA = 0x2c
const COLON = 0x3a
const QUOTE = 0x22
const MEMBER_LIMIT = 1000

/**
 * Reads a JSON document whose bulk is in lists, item by item: members of the document with one of the names, or with '' among them
 * the document itself. Whatever is wrong anywhere is a DocumentError; memory holds one item at a time and the other members.
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
    else throw faultAt(placeOf(input), `a JSON ${lists.includes('') ? 'object or list' : 'object'} has to begin here.`)
    if ((await nextByte(input)) !== undefined)
      throw faultAt(placeOf(input), 'nothing may follow the end of the document.')
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
    if ((await nextByte(input)) !== QUOTE) throw faultAt(place, 'the name of a member has to begin here.')
    const name = String(parseValue(await cutValue(input)))
    if (names.has(name)) throw faultAt(place, `the member ${JSON.stringify(name.slice(0, 100))} is there twice.`)
    if (names.size === MEMBER_LIMIT) throw faultAt(place, `a document has at most ${MEMBER_LIMIT} members.`)
    names.add(name)
    if ((await nextByte(input)) !== COLON) throw faultAt(placeOf(input), 'a colon has to stand here.')
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

/** Steps through what stands between an opening bracket and its closing one; who calls reads each element. */
async function* elementsOf(input: Input, closing: number): AsyncGenerator<void> {
  input.at++
  if ((await nextByte(input)) !== closing) {
    for (;;) {
      yield
      const byte = await nextByte(input)
      if (byte === closing) break
      if (byte === undefined) throw faultAt(placeOf(input), 'the document ends before it is complete.')
      if (byte !== COMMA) throw faultAt(placeOf(input), 'a comma or the end of the list or object has to stand here.')
      input.at++
      await nextByte(input)
    }
  }
  input.at++
}
