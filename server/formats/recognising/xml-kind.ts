type XmlKind = 'stix-1' | 'openioc' | 'xml' | 'html'

const STIX_NAMESPACES = ['http://stix.mitre.org/', 'http://cybox.mitre.org/']
const OPENIOC_NAMESPACES = ['http://schemas.mandiant.com/', 'http://openioc.org/']

const HTML_TAGS = new Set(
  `a abbr address article aside b base blockquote body br button center code dd details div dl dt em figure font footer form
  frameset h1 h2 h3 h4 h5 h6 head header hr html i iframe img input li link main meta nav ol p pre script section small span
  strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr u ul video`.split(/\s+/),
)

/** Returns the kind of a text that starts like XML or HTML; otherwise undefined. */
export function xmlKind(text: string): XmlKind | undefined {
  const start = text.trimStart()
  if (!/^<(?:[?!]|[A-Za-z_])/.test(start)) return undefined
  const { rest, doctype, hasDeclaration } = afterProlog(start)
  if (/^html\b/i.test(doctype)) return 'html'
  const root = /^<([A-Za-z_][\w.-]{0,200})(?::([\w.-]{1,200}))?(?=[\s/>])/.exec(rest)
  if (!root) return hasDeclaration || doctype !== '' ? byContent(start) : undefined
  const name = root[2] ?? root[1] ?? ''
  const tag = rest.slice(0, endOfTag(rest))
  return byRoot(name, tag) ?? otherKind(name, tag, rest, hasDeclaration || doctype !== '')
}

function byRoot(name: string, tag: string): XmlKind | undefined {
  if (name === 'STIX_Package') return 'stix-1'
  if (/^(?:ioc|openioc)$/i.test(name) || OPENIOC_NAMESPACES.some((each) => tag.includes(each))) return 'openioc'
  return STIX_NAMESPACES.some((each) => tag.includes(each)) ? 'stix-1' : undefined
}

function otherKind(name: string, tag: string, rest: string, isDeclared: boolean): XmlKind | undefined {
  const isKnownTag = HTML_TAGS.has(name.toLowerCase())
  if (isKnownTag && (!isDeclared || name.toLowerCase() === 'html')) return 'html'
  // A text may also start with an address in angle brackets.
  return isDeclared || tag.includes('xmlns') || /^<[^<>]*\/>\s*$/.test(tag) || rest.includes(`</`) ? 'xml' : undefined
}

/** If declarations fill the examined part, their names decide. */
function byContent(start: string): XmlKind {
  if (/STIX_Package/.test(start)) return 'stix-1'
  return OPENIOC_NAMESPACES.some((each) => start.includes(each)) ? 'openioc' : 'xml'
}

/** Skips the declaration, comments, processing instructions and the document type. */
function afterProlog(text: string): { rest: string; doctype: string; hasDeclaration: boolean } {
  let at = 0
  let doctype = ''
  let hasDeclaration = false
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at++
    if (text.startsWith('<?', at)) {
      hasDeclaration ||= text.startsWith('<?xml', at)
      at = after(text, '?>', at)
    } else if (text.startsWith('<!--', at)) at = after(text, '-->', at)
    else if (/^<!doctype\s/i.test(text.slice(at, at + 10))) {
      doctype = text.slice(at + 9, at + 100).trimStart()
      at = endOfDoctype(text, at)
    } else return { rest: text.slice(at), doctype, hasDeclaration }
  }
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from)
  return found < 0 ? text.length : found + mark.length
}

/** A document type may contain declarations in square brackets, which contain angle brackets. */
function endOfDoctype(text: string, from: number): number {
  let depth = 0
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']') depth--
    else if (character === '>' && depth <= 0) return at + 1
  }
  return text.length
}

function endOfTag(text: string): number {
  const end = text.indexOf('>')
  return end < 0 ? text.length : end + 1
}
