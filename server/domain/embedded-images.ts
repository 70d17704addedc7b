const MAY_EMBED = /!\[|<(?:im|input|source)|style/i

const ATTACHMENT =
  /\/(entities\/attachments|entity[-_]attachments|attachments)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g
const MIN_URL_LENGTH = 'entity-attachments/'.length + 36
const API = /\/(?:api\/v[0-9]+|private)\//

/**
 * Returns the ids of the entity attachments that a description, in HTML or Markdown, shows as images. The scanners are our own because
 * `marked` and `htmlparser2` take quadratic time for some texts (docs/adr/0026-linear-time.md).
 */
export function embeddedAttachments(text: string): string[] {
  const isPlain = !text.includes('<') && !text.includes('![')
  if (isPlain || !MAY_EMBED.test(text)) return []
  // The language is unknown, and the two differ on broken text: images that either of them could show count.
  const ids = new Set<string>()
  for (const url of imagesOfTags(text)) addAttachments(url, ids)
  if (text.includes('![')) for (const url of imagesOfMarkdown(text)) addAttachments(url, ids)
  return [...ids]
}

/** Adds the attachments in a URL, which is read as written, decoded once, and decoded twice. */
function addAttachments(url: string, ids: Set<string>): void {
  if (url.length < MIN_URL_LENGTH) return
  // Browsers drop tabs and line ends inside a URL; the path ends at ? or #.
  let path = url.replaceAll(/[\t\n\r]/g, '').replace(/[?#].*/s, '')
  if (/^[\0- ]*data:/i.test(path)) return
  for (let round = 0; round < 3; round++) {
    const plain = withoutDots(path)
    const api = plain.search(API)
    for (const { 1: collection, 2: id, index } of plain.matchAll(ATTACHMENT)) {
      const isBelowApi = api !== -1 && api < index
      if (id && (collection !== 'attachments' || isBelowApi)) ids.add(id)
    }
    if (!path.includes('%')) return
    path = path.replaceAll(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
  }
}

/** Normalises a path like a server: lower case, single slashes, without `.` and `..`. */
function withoutDots(path: string): string {
  const segments: string[] = []
  const steps = path.trim().toLowerCase()
  for (const segment of steps.split(/[\\/]+/)) {
    if (segment === '..') segments.pop()
    else if (segment !== '.' && segment !== '') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

const TAG = /<([a-z][^\t\n\f\r /<>]*)([^\t\n\f\r >]*)/gi
const ATTRIBUTE =
  /[\t\n\f\r /]*([^\t\n\f\r />][^\t\n\f\r />=]*)(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:"([^"]*)"?|'([^']*)'?|([^\t\n\f\r >]+)))?/y

/** The attributes that can show an image, by tag. `style` can on every tag, and the `src` of an input is always an image. */
const IMAGE_ATTRIBUTES = new Map([
  ['image', ['src', 'srcset', 'href', 'xlink:href', 'style']],
  ['img', ['src', 'srcset', 'style']],
  ['input', ['src', 'style']],
  ['source', ['srcset', 'style']],
])
const ANY_TAG = ['style']

function* imagesOfTags(text: string): Generator<string> {
  const read = new Map<readonly string[], Set<number>>()
  for (const { tag, end } of tagsOf(text)) {
    const wanted = IMAGE_ATTRIBUTES.get(tag.toLowerCase()) ?? ANY_TAG
    const positions = read.get(wanted) ?? new Set()
    read.set(wanted, positions)
    // Tags may begin inside tags: time stays linear only if no position is read twice.
    for (let at = end; !positions.has(at); at = ATTRIBUTE.lastIndex) {
      positions.add(at)
      ATTRIBUTE.lastIndex = at
      const [, name, double, single, bare] = ATTRIBUTE.exec(text) ?? []
      if (name === undefined) break
      const value = double ?? single ?? bare ?? ''
      if (value.length >= MIN_URL_LENGTH && wanted.includes(name.toLowerCase()))
        yield* urlsOf(name.toLowerCase(), value)
    }
  }
}

/** Finds the tags of a text, and the position after their names. */
function* tagsOf(text: string): Generator<{ readonly tag: string; readonly end: number }> {
  for (const { 0: all, 1: tag = '', 2: rest = '', index } of text.matchAll(TAG)) {
    const end = index + all.length
    yield { tag, end: end - rest.length }
    // HTML takes the first tag of `<b<img src=x>`, Markdown the last.
    if (rest.includes('<')) yield { tag: rest.slice(rest.lastIndexOf('<') + 1), end }
  }
}

function urlsOf(attribute: string, value: string): string[] {
  const text = withoutEntities(value)
  if (attribute === 'style') return withoutEscapes(text).split(/[\s,()'"]+/)
  return attribute === 'srcset' ? text.split(/[\s,]+/) : [text]
}

/** The named entities of HTML for characters of a path. */
const NAMED = new Map([
  ['bsol', '\\'],
  ['lowbar', '_'],
  ['newline', '\n'],
  ['percnt', '%'],
  ['period', '.'],
  ['sol', '/'],
  ['tab', '\t'],
  ['underbar', '_'],
])

function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(?:#x([0-9a-f]+);?|#([0-9]+);?|([a-z]+);)/gi, (entity, hexadecimal, decimal, name) => {
    if (name) return NAMED.get(name.toLowerCase()) ?? entity
    return character(hexadecimal ? Number.parseInt(hexadecimal, 16) : Number.parseInt(decimal, 10))
  })
}

/** Resolves the escapes of CSS: `\2f` is a slash, and a backslash before a line end is dropped. */
const withoutEscapes = (style: string): string =>
  style.replaceAll(/\\(?:([0-9a-f]{1,6})\s?|(\r?\n|\r|\f)|(.))/gi, (_, hexadecimal, end, other) =>
    hexadecimal ? character(Number.parseInt(hexadecimal, 16)) : end ? '' : other,
  )

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd')

const DEFINITION = /^[ \t>*+\-.)0-9]*\[((?:\\.|[^\\[\]]){1,999})\]:\s*(?:<([^<>\n]*)>|(\S+))/gm

function* imagesOfMarkdown(text: string): Generator<string> {
  const shown = new Set<string>()
  for (const paragraph of text.split(/\n[ \t\r]*\n/))
    for (const url of imagesOfParagraph(paragraph, shown)) yield withoutMarks(url)
  for (const [, label = '', pointed, bare = ''] of text.matchAll(DEFINITION))
    if (shown.has(labelOf(label))) yield withoutMarks(pointed ?? bare)
}

const withoutMarks = (url: string): string =>
  url.length < MIN_URL_LENGTH ? '' : withoutEntities(url.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'))

const labelOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const MARK = /\\[\s\S]|(!?\[)|(\])|([`<])/g

/** Finds the URLs of the images in a paragraph, and adds the labels of images that are defined elsewhere to `shown`. */
function* imagesOfParagraph(text: string, shown: Set<string>): Generator<string> {
  const open: { readonly start: number; readonly isImage: boolean }[] = []
  const last = { image: -1, bracket: -1, doubt: -1 }
  let images = 0
  MARK.lastIndex = 0
  for (let mark = MARK.exec(text); mark; mark = MARK.exec(text)) {
    const [, opening, closing, doubt] = mark
    const end = MARK.lastIndex
    if (doubt) last.doubt = end
    if (opening) {
      const isImage = opening === '![' || mark.index === last.image
      open.push({ start: end, isImage })
      if (isImage) images++
      last.bracket = end
    }
    if (!closing) continue

    const isInImage = images > 0
    const bracket = open.pop()
    const isInline = text[end] === '('
    // A bracket inside code or a tag closes nothing: if there may be either, the image may continue.
    if (bracket?.isImage && !isInline && last.doubt > bracket.start) open.push(bracket)
    else if (bracket?.isImage) images--
    const hasLabel = bracket?.start === last.bracket
    last.bracket = end
    if (!isInImage) continue

    last.image = end
    if (hasLabel) shown.add(labelOf(text.slice(bracket?.start, mark.index)))
    if (!isInline) continue
    const { url, end: after } = destinationAt(text, end + 1)
    MARK.lastIndex = after
    yield* url.split('](')
  }
}

const POINTED = /\s*(?:<([^<>\n]*)>)?/y

/** Reads the URL at a position in Markdown, up to a space or an unmatched parenthesis, and where it ends. */
function destinationAt(text: string, at: number): { readonly url: string; readonly end: number } {
  POINTED.lastIndex = at
  const pointed = POINTED.exec(text)?.[1]
  const start = POINTED.lastIndex
  if (pointed !== undefined) return { url: pointed, end: start }
  let end = start
  for (let depth = 0; end < text.length; end++) {
    const sign = text.charAt(end)
    if (sign <= ' ' || (sign === ')' && depth-- === 0)) break
    if (sign === '(') depth++
    if (sign === '\\') end++
  }
  return { url: text.slice(start, end), end }
}
