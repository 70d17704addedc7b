import type { Item } from '../../engine/context.ts'
import type { Resource } from '../../engine/definition.ts'
import { badRequest } from '../../engine/errors.ts'
import type { Field } from '../../engine/field-class.ts'

const MAX_DEPTH = 100

/** Converts the fields of a form to a JSON body: lists are repeated names or JSON, documents are JSON. */
export function bodyOfFields({ fields }: Resource, given: ReadonlyMap<string, readonly string[]>): Item {
  const faults: string[] = []
  const body = Object.fromEntries(
    Object.entries(fields).flatMap(([name, { props }]): [string, unknown][] => {
      const texts = given.get(name)?.filter((text) => text !== '' || isText(props))
      if (!texts || texts.length === 0) return []
      const read = readTexts(props, texts)
      if (read instanceof Error) faults.push(`${name}: ${read.message}`)
      return read instanceof Error ? [] : [[name, read]]
    }),
  )
  if (faults.length > 0) throw badRequest(faults)
  return body
}

const typeOf = ({ storage }: Field['props']): string => ('type' in storage ? storage.type : storage.kind)

const isText = (props: Field['props']): boolean => typeOf(props) === 'text'

function readTexts(props: Field['props'], texts: readonly string[]): unknown {
  const type = typeOf(props)
  if (type === 'refs' || type === 'text[]') {
    const lists = texts.map((text) => (text.trimStart().startsWith('[') ? readJson(text) : [text]))
    return lists.find((list) => list instanceof Error) ?? lists.flat()
  }
  const [text = '', ...others] = texts
  if (others.length > 0) return new Error('is given more than once')
  if (type === 'jsonb') return readJson(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function readJson(text: string): unknown {
  if (depthOf(text) > MAX_DEPTH) return new Error(`is nested deeper than ${MAX_DEPTH} levels`)
  try {
    return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
  } catch (error) {
    return new Error(`is not valid JSON: ${(error as Error).message}`)
  }
}

/** An upper bound of the nesting depth: brackets in strings count too, but no valid value has that many in a row. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  for (const character of text) {
    if (character === '[' || character === '{') deepest = Math.max(deepest, ++depth)
    else if (character === ']' || character === '}') depth--
  }
  return deepest
}
