import createPurifier from 'dompurify'
import { Marked } from 'marked'
import { embeddedAttachments } from '../../server/domain/embedded-images.ts'
import { RICH_TEXT_TAGS } from '../../server/domain/rich-text-tags.ts'
import { defangedUri, defangText } from '../domain/defang-text.ts'
import classes from './rich-text.module.css'

/** Longer texts are shown unformatted, because rendering them would block the page. */
const MAX_FORMATTED_LENGTH = 300_000

const markdown = new Marked({ gfm: true, async: false })

const ATTRIBUTES = ['alt', 'colspan', 'dir', 'href', 'lang', 'rowspan', 'scope', 'src', 'start', 'title']

/** Renders a user's Markdown or HTML as a fragment; nothing in it runs or loads before it has been sanitised. */
export function richFragment(text: string, format?: string): DocumentFragment {
  if (text.length > MAX_FORMATTED_LENGTH) return plainFragment(text)
  const html = isHtml(text, format) ? text : String(markdown.parse(text))
  const fragment = createPurifier(window).sanitize(withoutActiveContent(html), {
    ALLOWED_TAGS: [...RICH_TEXT_TAGS],
    ALLOWED_ATTR: ATTRIBUTES,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  })
  for (const link of fragment.querySelectorAll('a')) link.replaceWith(...withoutLink(link))
  for (const image of fragment.querySelectorAll('img')) image.replaceWith(ownImage(image))
  for (const heading of fragment.querySelectorAll('h1, h2, h3, h4')) heading.replaceWith(demoted(heading))
  defangTexts(fragment)
  return fragment
}

/**
 * Removes style elements, base elements and event handlers before sanitising. The sanitiser would drop them too, but parsing
 * them alone triggers violation reports of the content security policy. A character reference means the same character in text
 * and in attribute values, but is not part of an attribute name.
 */
const withoutActiveContent = (html: string): string =>
  html
    .replaceAll(/<style\b[^<>]*>.*?(?:<\/style\s*>|$)/gis, '')
    .replaceAll(/<base\b[^<>]*>/gi, '')
    .replaceAll(/<(?=\/?(?:style|base)\b)/gi, '&lt;')
    .replaceAll(/(?<![a-z])o(?=n[a-z])/gi, (letter) => `&#${letter.charCodeAt(0)};`)

const isHtml = (text: string, format = ''): boolean =>
  /html/i.test(format) || (!/markdown/i.test(format) && /^\s*<(?:!doctype|[a-z][a-z\d]*[\s/>])/i.test(text))

function plainFragment(text: string): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const place = document.createElement('div')
  place.className = classes.plain ?? ''
  place.textContent = defangText(text)
  fragment.append(place)
  return fragment
}

/** Replaces a link with its text, followed by its defanged target. */
function withoutLink(link: HTMLAnchorElement): Node[] {
  const nodes = [...link.childNodes]
  const address = link.getAttribute('href')?.trim() ?? ''
  if (address === '' || address.startsWith('#') || address === link.textContent?.trim()) return nodes
  const shown = link.ownerDocument.createElement('span')
  shown.className = classes.address ?? ''
  shown.textContent = ` (${defangedUri(address)})`
  return [...nodes, shown]
}

const PICTURE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]+$/i

/** Shows attachments of entities and embedded images; replaces all other images with their defanged address. */
function ownImage(image: HTMLImageElement): Node {
  const source = image.getAttribute('src')?.trim() ?? ''
  const alt = image.getAttribute('alt') ?? ''
  const [attachment] = embeddedAttachments(image.outerHTML)
  if (attachment !== undefined || PICTURE.test(source)) {
    const shown = image.ownerDocument.createElement('img')
    shown.alt = alt
    shown.setAttribute('loading', 'lazy')
    shown.setAttribute('src', attachment === undefined ? source : `/api/v2/entities/attachments/${attachment}/download`)
    return shown
  }
  const text = image.ownerDocument.createElement('span')
  text.className = classes.address ?? ''
  text.textContent = `[image${alt === '' ? '' : ` “${alt}”`}${source === '' ? '' : `: ${defangedUri(source)}`}]`
  return text
}

/** Demotes a heading below those of the page. */
function demoted(heading: Element): Element {
  const level = Math.min(6, Number(heading.localName.slice(1)) + 2)
  const lower = heading.ownerDocument.createElement(`h${level}`)
  lower.append(...heading.childNodes)
  return lower
}

function defangTexts(fragment: DocumentFragment): void {
  const walker = fragment.ownerDocument.createTreeWalker(fragment, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.nodeValue ?? ''
    const safe = defangText(text)
    if (safe !== text) node.nodeValue = safe
  }
}
