import type { Defanging } from './definition.ts'

/** Whether a defanged part, such as `[.]` or `(at)`, is to be undone. */
type IsWanted = (token: string) => boolean

const OPENERS: Readonly<Record<string, string>> = { ']': '[', ')': '(', '}': '{' }

/** What may stand in brackets in place of itself, so that nothing makes a link of it. */
const MEANINGS: ReadonlyMap<string, string> = new Map([
  ['.', '.'],
  ['dot', '.'],
  ['@', '@'],
  ['at', '@'],
  [':', ':'],
  [':/', ':/'],
  ['://', '://'],
  ['/', '/'],
  ['//', '//'],
])

/** Brackets around one of those, with spaces or the escapes of Markdown inside, or a dot after an escape. */
const DEFANGED = /[[({][\s\\]{0,2}(?:dot|at|\.|@|:\/{0,2}|\/\/?)[\s\\]{0,2}[\])}]|[\\^]\./i

const MAX_CONTENT_LENGTH = 7

/** The text with every defanged part of it made real again: `hxxp://example[.]com` becomes `http://example.com`. */
export function refang(text: string): string {
  return withRealSchemes(unwrap(text, () => true))
}

/** A refanged value; undoes `defangAs`. */
export function refangAs(defanging: Defanging | undefined, value: string): string {
  if (defanging === undefined) return value
  if (defanging === 'email') return refangEmail(value)
  return defanging === 'uri' ? refangUri(value) : refang(value)
}

/** A value as people may read it without anything making a link of it. */
export function defangAs(defanging: Defanging | undefined, value: string): string {
  if (defanging === undefined) return value
  if (defanging === 'uri') return defangUri(value)
  if (defanging === 'email') return value.replace(/@([^@]*)$/, (_, host) => `[@]${dotted(host)}`)
  return defanging === 'address' ? dotted(value).replaceAll(':', '[:]') : dotted(value)
}

const dotted = (text: string): string => text.replaceAll('.', '[.]')

const withRealSchemes = (text: string): string =>
  text.replace(/(?<![a-z\d])h(?:[x*z]{2,3}|tx|xt)p(?=s?:\/\/)/gi, 'http').replace(/(?<![a-z\d])fxp(?=s?:\/\/)/gi, 'ftp')

/** Braces and carets are letters before the @, and only there. */
function refangEmail(text: string): string {
  const whole = unwrap(text, (token) => MEANINGS.get(token.slice(1, -1)) === '@')
  const at = whole.lastIndexOf('@')
  const local = unwrap(whole.slice(0, at + 1), (token) => token[0] !== '{' && token[0] !== '^')
  return `${local}${unwrap(whole.slice(at + 1), () => true)}`
}

/**
 * Only what the part before the path is defanged with is undone in the rest: `(dot)` in the path of a real URI is a
 * part of its name.
 */
function refangUri(text: string): string {
  const end = endOfHead(text)
  const used = new Set<string>()
  const head = unwrap(text.slice(0, end), (token) => used.add(token) !== undefined)
  const tail = unwrap(text.slice(end), (token) => used.has(token))
  return `${withRealSchemes(head)}${tail}`
}

function defangUri(uri: string): string {
  const end = endOfHead(uri)
  const [head, tail] = [uri.slice(0, end), uri.slice(end)]
  // A path that has [.] in its name would lose it on the way back.
  const isAmbiguous = unwrap(tail, (token) => token === '[.]') !== tail
  const safe = isAmbiguous ? head : dotted(head)
  return `${safe.replace(/^http(?=s?:\/\/)/, 'hxxp').replace(/^ftp(?=s?:\/\/)/, 'fxp')}${tail}`
}

/** Where scheme and authority of a URI end, defanged or not: at the third slash, or at the query or fragment. */
function endOfHead(uri: string): number {
  // What these carry is a text of its own.
  if (/^(?:data|javascript|vbscript):/i.test(uri)) return 0
  let slashes = 0
  for (let i = 0; i < uri.length; i++) {
    if (uri[i] === '/') slashes++
    if (slashes === 3 || uri[i] === '?' || uri[i] === '#') return i
  }
  return uri.length
}

/** The text with the contents of brackets in place of the brackets, and dots without an escape before them. */
function unwrap(text: string, isWanted: IsWanted): string {
  if (!DEFANGED.test(text)) return text
  // Nothing else takes part in a defanged piece: long texts are passed over at the speed of the search.
  return text.replace(/(?:[[\](){}\\^.:@/\s]|dot|at)+/gi, (piece) => unwrapPiece(piece, isWanted))
}

/** One pass over the characters; brackets in brackets go as well, so that doing it again changes nothing. */
function unwrapPiece(piece: string, isWanted: IsWanted): string {
  if (!DEFANGED.test(piece)) return piece
  const out: string[] = []
  for (let i = 0; i < piece.length; i++) {
    const character = piece.charAt(i)
    const meaning = takeBracket(out, character, isWanted) ?? character
    if (meaning === '.') dropEscapes(out, isWanted)
    // Character by character, for each may be the content of the next bracket.
    for (let k = 0; k < meaning.length; k++) out.push(meaning.charAt(k))
  }
  return out.join('')
}

/** Takes the bracket that a character closes off the end, and answers what it stood for, if anything. */
function takeBracket(out: string[], closer: string, isWanted: IsWanted): string | undefined {
  const opener = OPENERS[closer]
  if (opener === undefined) return undefined
  let start = out.length - 1
  while (start >= 0 && out[start] !== opener && out.length - start <= MAX_CONTENT_LENGTH) start--
  if (out[start] !== opener) return undefined
  const content = out.slice(start + 1).join('')
  const plain = content.length === 1 ? content : content.replaceAll('\\', '').trim().toLowerCase()
  const meaning = MEANINGS.get(plain)
  if (meaning === undefined || !isWanted(`${opener}${plain}${closer}`)) return undefined
  while (out.length > start) out.pop()
  while (out.at(-1) === '\\') out.pop()
  return meaning
}

function dropEscapes(out: string[], isWanted: IsWanted): void {
  for (let last = out.at(-1); last === '\\' || last === '^'; last = out.at(-1)) {
    if (!isWanted(`${last}.`)) return
    out.pop()
  }
}
