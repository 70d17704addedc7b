import { Parser } from 'htmlparser2'
import { refangedText } from './refanged.ts'

/** The visible contents of a page. */
export interface Page {
  readonly title: string | undefined
  readonly heading: string | undefined
  readonly published: string | undefined
  /** The canonical URL that the page declares. */
  readonly address: string | undefined
  readonly text: string
  /** Where its links to catalogues of techniques lead. */
  readonly techniques: readonly string[]
}

type Seen = { [part in 'title' | 'socialTitle' | 'heading' | 'published' | 'address']?: string | undefined }

/** Links whose targets name techniques, though their texts hardly do. */
const TECHNIQUE_LINK = /^\s*(?:https?:)?\/\/(?:attack\.mitre\.org\/|github\.com\/DISARM)/i
const MAX_TECHNIQUE_LINKS = 2_000

/** Which link targets follow their texts: only those that the text names, or all of them, as in e-mails. */
export type Links = 'named' | 'all'

const UNSEEN = new Set([
  'applet',
  'audio',
  'canvas',
  'iframe',
  'noscript',
  'object',
  'script',
  'style',
  'template',
  'video',
])
const BLOCKS = new Set(
  (
    'address article aside blockquote body caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 ' +
    'h5 h6 head header hr html legend li main menu nav ol option p pre search section select summary table tbody tfoot thead title ' +
    'tr ul svg text desc'
  ).split(' '),
)
const DATES = new Set([
  'article:published_time',
  'date',
  'datepublished',
  'dc.date',
  'dcterms.date',
  'og:published_time',
])

/** Returns the visible text of a page, one line per block. Nothing is executed or fetched. */
export function htmlText(html: string, links: Links = 'named'): Page {
  const page = pageWriter(links)
  const parser = new Parser(
    { onopentag: page.open, ontext: page.write, onclosetag: page.close },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false },
  )
  parser.write(html)
  parser.end()
  const { title, socialTitle, heading, published, address } = page.seen
  return {
    title: title ?? socialTitle,
    heading,
    published,
    address,
    text: page.lines.text(),
    techniques: page.techniques,
  }
}

/** Creates the callbacks for the tags and texts of a page. */
function pageWriter(links: Links) {
  const lines = lineWriter()
  const seen: Seen = {}
  const techniques: string[] = []
  let unseen = ''
  let preformatted = 0
  // Images have titles of their own.
  let pictures = 0
  let taken: { readonly name: 'title' | 'heading'; text: string } | undefined
  let link: { readonly target: string; readonly start: number } | undefined

  const open = (name: string, attributes: Record<string, string>): void => {
    if (unseen !== '') return
    if (UNSEEN.has(name)) unseen = name
    if (name === 'meta') readMeta(attributes, seen)
    if (name === 'link' && attributes.rel?.toLowerCase() === 'canonical') seen.address ??= attributes.href
    if (name === 'time') seen.published ??= attributes.datetime
    if (BLOCKS.has(name) || name === 'br') lines.end()
    if (name === 'li') lines.add('- ')
    if (name === 'pre') preformatted++
    if (name === 'svg') pictures++
    if ((name === 'title' && pictures === 0) || name === 'h1')
      taken = { name: name === 'h1' ? 'heading' : 'title', text: '' }
    if (name === 'a' && TECHNIQUE_LINK.test(attributes.href ?? '') && techniques.length < MAX_TECHNIQUE_LINKS)
      techniques.push((attributes.href ?? '').slice(0, 500))
    if (name === 'a') link = { target: attributes.href ?? '', start: lines.length() }
    if (name === 'form' && links === 'all' && attributes.action) lines.add(`<${attributes.action}> `)
  }
  const write = (text: string): void => {
    if (unseen !== '') return
    if (taken) taken.text += text.slice(0, 1_000)
    if (taken?.name !== 'title') lines.add(text, preformatted > 0)
  }
  const closeLink = (): void => {
    if (link && isShown(link.target, lines.since(link.start), links)) lines.add(` <${link.target.trim()}>`)
    link = undefined
  }
  const close = (name: string): void => {
    if (unseen !== '') {
      if (name === unseen) unseen = ''
      return
    }
    if (name === 'pre' && preformatted > 0) preformatted--
    if (name === 'svg' && pictures > 0) pictures--
    if (taken && (name === 'title' || name === 'h1')) {
      seen[taken.name] ??= taken.text
      taken = undefined
    }
    if (name === 'a') closeLink()
    if (name === 'td' || name === 'th') lines.add('\t', true)
    if (BLOCKS.has(name)) lines.end()
  }
  return { open, write, close, seen, techniques, lines }
}

function readMeta(attributes: Record<string, string>, seen: Seen): void {
  const name = (attributes.property ?? attributes.name ?? attributes.itemprop ?? '').toLowerCase()
  const { content } = attributes
  if (content === undefined) return
  if (name === 'og:title' || name === 'twitter:title') seen.socialTitle ??= content
  if (DATES.has(name)) seen.published ??= content
}

/** Whether a link target is shown: the text names its host without containing the target already. */
function isShown(target: string, text: string, links: Links): boolean {
  const url = /^\s*(?:https?|ftp):/i.test(target) && target.length <= 4_096 ? URL.parse(target) : null
  if (url === null) return false
  const said = refangedText(text.slice(0, 4_096)).text.toLowerCase()
  if (said.includes(target.trim().toLowerCase())) return false
  return links === 'all' || said.includes(url.hostname.replace(/^www\./, ''))
}

/** Collects text. Runs of white space become one space, and empty lines are dropped. */
function lineWriter() {
  const parts: string[] = []
  let isOpen = false
  let hasSpace = false
  return {
    add(text: string, isVerbatim = false): void {
      const folded = isVerbatim ? text : text.replace(/[ \t\r\n\f]+/g, ' ')
      const own = !isVerbatim && (!isOpen || hasSpace) ? folded.replace(/^ /, '') : folded
      if (own === '') return
      parts.push(own)
      isOpen = true
      hasSpace = own.endsWith(' ')
    },
    end(): void {
      if (isOpen) parts.push('\n')
      isOpen = false
    },
    length: (): number => parts.length,
    /** Returns the text added since the given number of parts. */
    since: (start: number): string => parts.slice(start, start + 200).join(''),
    // Works line by line, because a regular expression for spaces before line ends would backtrack.
    text: (): string =>
      parts
        .join('')
        .split('\n')
        .map((line) => line.trimEnd())
        .join('\n')
        .trim(),
  }
}
