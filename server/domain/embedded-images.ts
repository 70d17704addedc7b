const MAY_EMBED = /!\[|<(?:im|input|source)|style/i

const ATTACHMENT =
  /\/(entities\/attachments|entity[-_]attachments|attachments)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/g
const SHORTEST = 'entity-attachments/'.length + 36
const API = /\/(?:api\/v[0-9]+|private)\//

/** The ids of the entity attachments that a description, in HTML or Markdown, shows as images. */
export function embeddedAttachments(text: string): string[] {
  const isPlain = !text.includes('<') && !text.includes('![')
  if (isPlain || !MAY_EMBED.test(text)) return []
  // Nobody says which language it is, and the two differ on broken text: what either of them could show is taken.
  const ids = new Set<string>()
  for (const url of imagesOfTags(text)) addAttachments(url, ids)
  if (text.includes('![')) for (const url of imagesOfMarkdown(text)) addAttachments(url, ids)
  return [...ids]
}

/** Adds the attachments that a URL leads to: read as it stands, decoded once, and decoded twice. */
function addAttachments(url: string, ids: Set<string>): void {
  if (url.length < SHORTEST) return
  // Browsers drop tabs and line ends inside a URL; what follows ? or # is no path.
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

/** The path as a server would see it: in lower case, between single slashes, with nothing left to climb. */
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

/** The attributes that show an image, by tag; `style` can on every tag, and `src` of an input is nothing else. */
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
    const places = read.get(wanted) ?? new Set()
    read.set(wanted, places)
    // Tags may begin inside of tags: a text full of them is read in time only when no place is read twice.
    for (let at = end; !places.has(at); at = ATTRIBUTE.lastIndex) {
      places.add(at)
      ATTRIBUTE.lastIndex = at
      const [, name, double, single, bare] = ATTRIBUTE.exec(text) ?? []
      if (name === undefined) break
      const value = double ?? single ?? bare ?? ''
      if (value.length >= SHORTEST && wanted.includes(name.toLowerCase())) yield* urlsOf(name.toLowerCase(), value)
    }
  }
}

/** The tags of a text, and where their names end. */
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

/** The characters of a path that have names in HTML. */
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

/** CSS as it is meant: `\2f` is a slash, and a backslash before a line end is nothing. */
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
  url.length < SHORTEST ? '' : withoutEntities(url.replaceAll(/\\([!-/:-@[-`{-~])/g, '$1'))

const labelOf = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').toLowerCase()

const MARK = /\\[\s\S]|(!?\[)|(\])|([`<])/g

/** The URLs of the images of a paragraph; the labels of images that are defined elsewhere are added to `shown`. */
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
    // A bracket inside of code or a tag closes nothing: where there is either, the image may go on.
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

/** The URL at a place in Markdown, up to a space or a parenthesis that it did not open, and where it ends. */
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
