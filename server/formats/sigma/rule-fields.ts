import { isAlias, isMap, isPair, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'

/** The members of the mapping that a YAML document is, as far as rules describe themselves with them. */
export interface RuleFields {
  readonly names: ReadonlySet<string>
  readonly texts: ReadonlyMap<string, string>
  /** Lists of texts. A single text is a list of one. */
  readonly lists: ReadonlyMap<string, readonly string[]>
  /** Why it is not valid YAML. It was read as far as possible. */
  readonly fault: string | null
}

/** Several times what published rules have, apart from the values that they detect. */
const MAX_LENGTH = 100_000
const MAX_ITEMS = 1000
/** The library quotes what it did not expect, however long it is. */
const LONGEST_FAULT = 300

const NOTHING = { names: new Set<string>(), texts: new Map<string, string>(), lists: new Map<string, string[]>() }

/** Reads the members of a document. Every scalar is a text, as it was written. What a long rule detects is not read. */
export function ruleFields(text: string): RuleFields {
  const read = text.length > MAX_LENGTH ? withMembers(text, (name) => name !== 'detection') : text
  if (read.length > MAX_LENGTH)
    return { ...NOTHING, fault: `it has more than ${MAX_LENGTH} characters besides what it detects` }
  try {
    return fieldsIn(read)
  } catch (error) {
    return { ...NOTHING, fault: shortened(error instanceof Error ? error.message : String(error)) }
  }
}

function fieldsIn(text: string): RuleFields {
  const { contents, errors } = parseDocument(text, {
    schema: 'failsafe',
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: 'silent',
  })
  const names = new Set<string>()
  const texts = new Map<string, string>()
  const lists = new Map<string, readonly string[]>()
  // Of a repeated name, the first counts.
  for (const pair of isMap(contents) ? contents.items.toReversed() : []) {
    const name = isPair(pair) ? textOf(pair.key) : undefined
    if (name === undefined) continue
    names.add(name)
    const value = pair.value as ParsedNode | null
    const own = textOf(value)
    const items = isSeq(value) ? value.items.slice(0, MAX_ITEMS).map(textOf) : [own]
    texts.set(name, own ?? '')
    lists.set(
      name,
      items.filter((item): item is string => item !== undefined && item !== ''),
    )
  }
  const [error] = errors
  return {
    names,
    texts,
    lists,
    fault: error ? `line ${lineAt(text, error.pos[0])}: ${shortened(error.message)}` : null,
  }
}

/** A document in which only some members keep their values. */
export function withMembers(text: string, isWanted: (name: string) => boolean): string {
  let isKept = true
  const lines = text.split('\n').map((line) => {
    const [start, , name] = /^(["']?)(\w[\w-]{0,100})\1[ \t]*:/.exec(line) ?? []
    if (name !== undefined) isKept = isWanted(name)
    return isKept ? line : (start ?? '')
  })
  return lines.join('\n')
}

/** The text of a scalar. What stands for something else says nothing about the rule. */
const textOf = (node: unknown): string | undefined =>
  isScalar(node) && !isAlias(node) ? storable(String(node.value ?? '')).trim() : undefined

/** Escapes may stand for characters that no text has. */
const storable = (text: string): string => text.replaceAll('\0', '\uFFFD').toWellFormed()

function shortened(message: string): string {
  if (message.startsWith('Maximum call stack')) return 'it is nested too deeply'
  return message.length > LONGEST_FAULT ? `${message.slice(0, LONGEST_FAULT).toWellFormed()}…` : message
}

const lineAt = (text: string, position: number): number => text.slice(0, position).split('\n').length
