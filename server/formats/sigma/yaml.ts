/** A field of a mapping: what follows its colon, and the lines below it. */
interface YamlField {
  readonly rest: string
  readonly below: readonly string[]
}

/** The fields of a mapping by name; of a repeated name, the first. */
export type YamlFields = ReadonlyMap<string, YamlField>

/** A document in a stream of documents, and the number of its first line. */
export interface YamlDocument {
  readonly text: string
  readonly line: number
}

const KEY = /^(?:"([^"]{1,200})"|'([^']{1,200})'|([^\s"'#:[\]{},&*!|>%@-][^:#]{0,200}?))[ \t]{0,20}:(?:[ \t]+(.*))?$/
const BLOCK = /^[|>][-+\d]{0,3}$/
const MAX_ITEMS = 10_000

/** Splits a stream of YAML documents. Empty ones are left out. */
export function yamlDocuments(text: string): YamlDocument[] {
  const found: { lines: string[]; line: number }[] = [{ lines: [], line: 1 }]
  for (const [i, line] of text.split(/\r\n?|\n/).entries()) {
    if (/^(?:---|\.\.\.)(?:[ \t]|$)/.test(line)) found.push({ lines: [], line: i + 2 })
    else found.at(-1)?.lines.push(line)
  }
  return found
    .map(({ lines, line }) => ({ text: lines.join('\n'), line }))
    .filter(({ text: content }) => content.split('\n').some((line) => !isBlank(line)))
}

/**
 * Reads the fields of a mapping in block style, without looking into them. This is the part of YAML that detection rules are written in:
 * no anchors, no tags, no keys that are not plain or quoted.
 */
export function yamlFields(lines: readonly string[]): YamlFields {
  const fields = new Map<string, YamlField>()
  let below: string[] = []
  for (const line of dedented(lines)) {
    const isInside = /^(?:[ \t]|$)/.test(line) || /^-(?:[ \t]|$)/.test(line)
    const key = isInside ? null : KEY.exec(line)
    if (key) {
      below = []
      const name = key[1] ?? key[2] ?? key[3] ?? ''
      if (!fields.has(name)) fields.set(name, { rest: (key[4] ?? '').trim(), below })
    } else if (isInside) below.push(line)
  }
  return fields
}

/** The text of a field; '' if it has none, or is no text. */
export function yamlText(field: YamlField | undefined): string {
  if (!field) return ''
  const rest = withoutComment(field.rest)
  if (BLOCK.test(rest)) return blockOf(field.below, rest.startsWith('>'))
  if (rest === '' && isList(field.below)) return ''
  return scalarOf([rest, ...field.below])
}

/** The texts of a list in either style. A single text is a list of one. */
export function yamlList(field: YamlField | undefined): string[] {
  if (!field) return []
  const rest = withoutComment(field.rest)
  if (rest.startsWith('[')) return flowItems([rest, ...field.below.map(withoutComment)].join(' '))
  if (rest !== '' || !isList(field.below)) return [yamlText(field)].filter((text) => text !== '')
  const items: string[][] = []
  for (const line of dedented(field.below)) {
    const item = /^-(?:[ \t]+(.*))?$/.exec(line)
    if (item && items.length < MAX_ITEMS) items.push([item[1] ?? ''])
    else items.at(-1)?.push(line)
  }
  return items
    .map(([first = '', ...more]) => yamlText({ rest: first.trim(), below: more }))
    .filter((text) => text !== '')
}

const isBlank = (line: string): boolean => /^[ \t]*(?:#|$)/.test(line)

const isList = (lines: readonly string[]): boolean =>
  /^[ \t]*-(?:[ \t]|$)/.test(lines.find((line) => !isBlank(line)) ?? '')

/** The lines without the indentation that the first of them has. */
function dedented(lines: readonly string[]): string[] {
  const first = lines.find((line) => !isBlank(line)) ?? ''
  const indent = first.length - first.trimStart().length
  return lines.map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line.trimStart()))
}

function blockOf(lines: readonly string[], isFolded: boolean): string {
  const first = lines.find((line) => line.trim() !== '') ?? ''
  const indent = first.length - first.trimStart().length
  const text = lines
    .map((line) => (line.slice(0, indent).trim() === '' ? line.slice(indent) : line.trimStart()))
    .join('\n')
  return (isFolded ? folded(text) : text).trim()
}

/** Single line ends are spaces, empty lines are line ends. */
const folded = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((part) => part.replaceAll('\n', ' '))
    .join('\n')

/** A plain or quoted text, which may go on in further lines. */
function scalarOf(lines: readonly string[]): string {
  const quote = lines[0]?.[0]
  if (quote !== '"' && quote !== "'") return folded(lines.map((line) => withoutComment(line).trim()).join('\n')).trim()
  const text = folded(lines.map((line) => line.trim()).join('\n'))
  return unquoted(text.slice(0, endOfQuoted(text, 0) + 1))
}

/** The text without a comment at its end; quoted texts may contain the mark of comments. */
function withoutComment(line: string): string {
  const start = line.search(/\S/)
  if (start < 0) return ''
  const isQuoted = line[start] === '"' || line[start] === "'"
  const from = isQuoted ? endOfQuoted(line, start) : start
  const comment = /(?:^|[ \t])#/.exec(line.slice(from))
  return (comment ? line.slice(0, from + comment.index) : line).trim()
}

/** The position of the closing quote, or the end. */
function endOfQuoted(text: string, start: number): number {
  const quote = text[start]
  for (let at = start + 1; at < text.length; at++) {
    if (quote === '"' && text[at] === '\\') at++
    else if (text[at] === quote && quote === "'" && text[at + 1] === "'") at++
    else if (text[at] === quote) return at
  }
  return text.length
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '' }

function unquoted(text: string): string {
  const isClosed = text.length > 1 && text.at(-1) === text[0]
  const inner = text.slice(1, isClosed ? -1 : undefined)
  if (text[0] === "'") return inner.replaceAll("''", "'")
  return inner.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|([^xu]))/g, (_, x, u, plain) =>
    plain === undefined ? String.fromCharCode(Number.parseInt(x ?? u, 16)) : (ESCAPES[plain] ?? plain),
  )
}

/** The items of `[a, "b, c"]`. */
function flowItems(text: string): string[] {
  const items: string[] = []
  let from = 1
  for (let at = 1; at <= text.length && items.length < MAX_ITEMS; at++) {
    const character = text[at]
    if ((character === '"' || character === "'") && text.slice(from, at).trim() === '') at = endOfQuoted(text, at)
    else if (character === ',' || character === ']' || character === undefined) {
      items.push(scalarOf([text.slice(from, at).trim()]))
      from = at + 1
      if (character !== ',') break
    }
  }
  return items.filter((item) => item !== '')
}
