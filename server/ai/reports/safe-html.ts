import { Parser } from 'htmlparser2'
import { escapeHtml } from '../../domain/escape-html.ts'
import { RICH_TEXT_TAGS } from '../../domain/rich-text-tags.ts'
import { withoutUnseen } from '../prompting/untrusted.ts'

/** Links and images are removed as well: a model may have been made to write an address that tells others what it read. */
const TAGS = new Set(RICH_TEXT_TAGS.filter((tag) => tag !== 'a' && tag !== 'img'))
const VOID = new Set(['br', 'col', 'hr'])

/** Elements that are removed together with what they contain. */
const REMOVED = new Set(
  (
    'applet audio canvas embed frame frameset head iframe math noembed noframes noscript object picture plaintext script select ' +
    'style svg template textarea title video xmp'
  ).split(' '),
)

const NUMBERS = new Set(['colspan', 'rowspan', 'start'])
const MAX_DEPTH = 100

/**
 * HTML that consists of text and allowed elements alone. It is written from what a parser sees, so nothing that only looks harmless
 * survives. No element has an attribute, except for spans of cells and the start of lists.
 */
export function safeHtml(html: string): string {
  const parts: string[] = []
  // Whether each open element is written.
  const open: boolean[] = []
  let removedDepth = 0
  const parser = new Parser(
    {
      onopentag: (name, attributes) => {
        if (removedDepth > 0 || REMOVED.has(name)) {
          removedDepth++
          return
        }
        const isWritten = TAGS.has(name) && open.length < MAX_DEPTH
        if (isWritten) parts.push(`<${name}${attributesIn(attributes)}>`)
        open.push(isWritten)
      },
      ontext: (text) => {
        if (removedDepth === 0) parts.push(escapeHtml(withoutUnseen(text)))
      },
      onclosetag: (name) => {
        if (removedDepth > 0) {
          removedDepth--
          return
        }
        if (open.pop() && !VOID.has(name)) parts.push(`</${name}>`)
      },
    },
    { decodeEntities: true, lowerCaseTags: true, recognizeSelfClosing: false },
  )
  parser.write(html)
  parser.end()
  return parts.join('').trim()
}

const attributesIn = (attributes: Readonly<Record<string, string>>): string =>
  Object.entries(attributes)
    .filter(([name, value]) => NUMBERS.has(name) && /^\d{1,3}$/.test(value))
    .map(([name, value]) => ` ${name}="${value}"`)
    .join('')
