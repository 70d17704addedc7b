import { createHash } from 'node:crypto'
import { escapeHtml } from '../../../domain/escape-html.ts'
import { attributeOf, childrenOf, textOf, type XmlElement } from '../../../formats/xml/xml-element.ts'
import { xmlText } from '../../../formats/xml/xml-text.ts'

/** One item of an RSS feed, or one entry of an Atom feed. */
export interface Article {
  /** Identifies it: its id, guid or link, or a hash of its content. */
  readonly id: string
  readonly title: string
  readonly link: string
  /** In ISO 8601, or ''. */
  readonly date: string
  /** HTML. */
  readonly content: string
}

const CONTENT = 'http://purl.org/rss/1.0/modules/content/'
const DUBLIN_CORE = 'http://purl.org/dc/elements/1.1/'
const MAX_TITLE_LENGTH = 1000

/** Reads an item or entry; `base` is the address of its feed, which links may be relative to. */
export function articleOf(element: XmlElement, base: string): Article {
  const own = (name: string) => childrenOf(element, name).find(({ uri }) => uri === element.uri)
  const of = (uri: string, name: string) => childrenOf(element, name).find((child) => child.uri === uri)
  const link = linkOf(element, base)
  const title = plainText(own('title')).slice(0, MAX_TITLE_LENGTH)
  const content = [of(CONTENT, 'encoded'), own('content'), own('summary'), own('description')].map(htmlIn)
  const date = ['published', 'updated', 'pubDate'].map((name) => textOf(own(name)))
  const article = {
    title,
    link,
    date: [...date, textOf(of(DUBLIN_CORE, 'date'))].map(isoTime).find((time) => time !== '') ?? '',
    content: content.find((html) => html !== '') ?? '',
  }
  const named = [textOf(own('id')), textOf(own('guid')), link].find((id) => id !== '')
  return { ...article, id: named ?? createHash('sha256').update(JSON.stringify(article)).digest('hex') }
}

/** RSS has its link as text; of the links of Atom, the one to the page is used. */
function linkOf(element: XmlElement, base: string): string {
  const links = childrenOf(element, 'link').filter(({ uri }) => uri === element.uri)
  const page = links.find((link) => ['', 'alternate'].includes(attributeOf(link, 'rel'))) ?? links[0]
  const given = attributeOf(page, 'href') || textOf(page)
  if (given === '') return ''
  const address = URL.parse(given, base)
  return address && ['http:', 'https:'].includes(address.protocol) ? address.href : ''
}

/** The content of an element as HTML: Atom states its type, RSS has HTML as text. */
function htmlIn(element: XmlElement | undefined): string {
  if (!element) return ''
  const type = attributeOf(element, 'type')
  if (type === 'xhtml') return childrenOf(element).map(xmlText).join('')
  return type === 'text' || type === 'text/plain' ? escapeHtml(textOf(element)) : textOf(element)
}

const plainText = (element: XmlElement | undefined): string => textOf(element).replaceAll(/\s+/g, ' ')

function isoTime(text: string): string {
  const time = text === '' || text.length > 100 ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** The article as a page, which stays identical as long as the article does. */
export function pageOf({ title, link, date, content }: Article): string {
  return [
    '<!doctype html>',
    '<html><head><meta charset="utf-8">',
    `<title>${escapeHtml(title || link)}</title>`,
    ...(link === '' ? [] : [`<link rel="canonical" href="${escapeHtml(link)}">`]),
    ...(date === '' ? [] : [`<meta name="date" content="${date}">`]),
    '</head><body>',
    `<h1>${escapeHtml(title || link)}</h1>`,
    `<div>${content}</div>`,
    '</body></html>\n',
  ].join('\n')
}
