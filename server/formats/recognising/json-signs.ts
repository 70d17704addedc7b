/** The members and strings found at the beginning of a JSON text. */
export interface JsonSigns {
  /** Whether there is a member at a path such as `objects[].type`. */
  has(path: string): boolean
  /** The first string at a path. */
  text(path: string): string | undefined
  isEmptyList(path: string): boolean
}

/** Deeper members are not needed for recognition. */
const DEPTH_LIMIT = 6
const PATH_LIMIT = 2000
/** The members of the document and of the objects in its list are the most informative. */
const INFORMATIVE_DEPTH = 3
const INFORMATIVE_PATH_LIMIT = 20_000
const TEXT_LIMIT = 1000

interface Open {
  readonly path: string
  readonly isList: boolean
  /** The current member, in an object. */
  key: string | undefined
  count: number
}

/** Collects the signs of a text that is JSON or was meant to be; otherwise undefined. Syntax errors are ignored. */
export function signsOf(text: string): JsonSigns | undefined {
  const start = /[^\s]/.exec(text)?.index ?? 0
  if (!beginsAsJson(text, start)) return undefined
  const texts = new Map<string, string | undefined>()
  const empty = new Set<string>()
  const stack: Open[] = []
  const note: Note = (path, value) => {
    // Members may have any order: informative ones may follow others with many nested members.
    const most = stack.length <= INFORMATIVE_DEPTH ? INFORMATIVE_PATH_LIMIT : PATH_LIMIT
    if ((texts.size < most || texts.has(path)) && texts.get(path) === undefined) texts.set(path, value)
  }
  // Lists and objects open below the maximum depth.
  let inside = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    const top = stack.at(-1)
    if (character === '"') {
      const end = endOfString(text, at)
      if (inside === 0 && top) noteText(top, () => readString(text, at, end), note)
      at = end
    } else if (character === '{' || character === '[') {
      if (stack.length > DEPTH_LIMIT) inside++
      else stack.push(opened(top, character === '[', note))
    } else if (character === '}' || character === ']') {
      if (inside > 0) inside--
      else {
        const closed = stack.pop()
        if (closed?.isList && closed.count === 0) empty.add(closed.path.slice(0, -2))
        if (stack.length === 0) break
      }
    } else if (inside > 0 || !top || character === undefined) continue
    else if (character === ',' && !top.isList) top.key = undefined
    else if (!/[\s,:]/.test(character)) {
      top.count++
      if (!top.isList && top.key !== undefined) note(pathIn(top))
    }
  }
  return { has: (path) => texts.has(path), text: (path) => texts.get(path), isEmptyList: (path) => empty.has(path) }
}

type Note = (path: string, value?: string) => void

/** A string is a member name or a value. */
function noteText(top: Open, read: () => string, note: Note): void {
  if (!top.isList && top.key === undefined) top.key = read()
  else note(pathIn(top), read())
}

function opened(top: Open | undefined, isList: boolean, note: Note): Open {
  const path = top ? pathIn(top) : ''
  if (path !== '') note(path)
  if (top) top.count++
  return { path: isList ? `${path}[]` : path, isList, key: undefined, count: 0 }
}

const pathIn = ({ path, isList, key = '' }: Open): string =>
  isList || path === '' ? (isList ? path : key) : `${path}.${key}`

/** A text may start with a bracket for many reasons, so what follows decides. */
function beginsAsJson(text: string, start: number): boolean {
  const next = text.slice(start, start + TEXT_LIMIT)
  if (next[0] === '{') return /^\{\s*(?:"|\}|$)/.test(next)
  if (!/^\[\s*(?:[{["\]]|-?\d[\d.eE+-]{0,40}\s*[,\]]|(?:true|false|null)\s*[,\]]|$)/.test(next)) return false
  // Footnotes: a list of plain values with text after it.
  const flat = /^\[[^[\]{}]{0,200}\]/.exec(next)
  return !flat || next.slice(flat[0].length).trim() === ''
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return text.length
}

function readString(text: string, start: number, end: number): string {
  const inner = text.slice(start + 1, Math.min(end, start + 1 + TEXT_LIMIT))
  if (!inner.includes('\\')) return inner
  try {
    return JSON.parse(`"${inner}"`)
  } catch {
    return inner
  }
}
