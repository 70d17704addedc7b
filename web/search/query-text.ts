/** The text being typed at the cursor, and its role in the query. */
export interface Typed {
  readonly kind: 'field' | 'value'
  /** The field whose value is being typed. */
  readonly field: string
  /** The part that has been typed. */
  readonly prefix: string
  readonly from: number
  readonly to: number
}

const FIELD = String.raw`([A-Za-z_][\w.-]*)`
const PHRASE = new RegExp(String.raw`${FIELD}:(?:\([^()"]*)?"((?:[^"\\]|\\.)*)$`)
const WORD = new RegExp(String.raw`${FIELD}:([^\s()"[\]{}/]*)$`)
const IN_GROUP = new RegExp(String.raw`${FIELD}:\((?:[^()"]|"(?:[^"\\]|\\.)*")*?([^\s()"]*)$`)
const NAME = new RegExp(String.raw`(?:^|[\s(+!-])${FIELD}$`)
const OPERATORS = ['AND', 'OR', 'NOT', 'TO']

/** The text being typed at a position; undefined if nothing can be suggested. */
export function typedAt(text: string, caret: number): Typed | undefined {
  const before = text.slice(0, caret)
  const value = (field = '', prefix = '', quote = 0): Typed => ({
    kind: 'value',
    field,
    prefix: prefix.replaceAll(/\\(.)/g, '$1'),
    from: caret - prefix.length - quote,
    to: quote === 1 && text[caret] === '"' ? caret + 1 : caret,
  })
  if (isInQuotes(before)) {
    const phrase = PHRASE.exec(before)
    return phrase ? value(phrase[1], phrase[2], 1) : undefined
  }
  const word = WORD.exec(before) ?? IN_GROUP.exec(before)
  if (word) return OPERATORS.includes(word[2] ?? '') ? undefined : value(word[1], word[2])
  const name = NAME.exec(before)?.[1]
  if (name === undefined || OPERATORS.includes(name)) return undefined
  return { kind: 'field', field: '', prefix: name, from: caret - name.length, to: caret }
}

const isInQuotes = (text: string): boolean => (text.replaceAll(/\\./gs, '').split('"').length - 1) % 2 === 1

/** A query after accepting a suggestion, with the new cursor position. */
export interface Completed {
  readonly text: string
  readonly caret: number
}

/** Replaces the typed text with a field or value. */
export function complete(text: string, typed: Typed, chosen: string): Completed {
  const rest = text.slice(typed.to)
  const put = typed.kind === 'field' ? `${chosen}:` : `${asTerm(chosen)}${/^[\s)]/.test(rest) ? '' : ' '}`
  const before = text.slice(0, typed.from) + put
  return { text: before + rest, caret: before.length }
}

/** A value in query syntax: unquoted if that is safe, otherwise as a phrase. */
export function asTerm(value: string): string {
  const isPlain = /^[\p{L}\p{N}_](?:[\p{L}\p{N}_.@-]*[\p{L}\p{N}_])?$/u.test(value) && !OPERATORS.includes(value)
  const isTime = /^now([-+]\d+[hdwMy])?(\/[dwMy])?$/.test(value)
  return isPlain || isTime || isRange(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`
}

const isRange = (value: string): boolean => value.startsWith('[') && value.endsWith(']') && value.includes(' TO ')

/** A query for values of a field with a prefix; undefined if all values can be requested. */
export function prefixQuery(field: string, prefix: string): string | undefined {
  if (prefix.trim() === '') return undefined
  return `${field}:${prefix.replaceAll(/[^\p{L}\p{N}_]/gu, '\\$&')}*`
}
