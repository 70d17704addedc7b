import { FREE, note, type Scan, type Span, use, usedAt } from './scan.ts'

const QUOTED =
  '["\'`\\u2018\\u201c\\u00ab]([^"\'`\\u2018\\u2019\\u201c\\u201d\\u00ab\\u00bb\\r\\n]{1,260})["\'`\\u2019\\u201d\\u00bb]'

const MUTEX_LABEL = 'mut(?:ex|ant)(?:es)?(?: object)?(?: name)?'
const MUTEXES: readonly RegExp[] = [
  new RegExp(
    `(?<![A-Za-z])${MUTEX_LABEL}(?: (?:named|called|is|with (?:the )?name|of|:)){0,2}\\s{0,2}[:=(]?\\s{0,3}${QUOTED}`,
    'gi',
  ),
  new RegExp(`(?<![A-Za-z])${MUTEX_LABEL}\\s{0,2}[:=]\\s{0,3}([^\\s"'\`,;]{2,260})`, 'gi'),
  new RegExp(
    `(?<![A-Za-z])${MUTEX_LABEL}(?: (?:named|called|is))?\\s{1,2}((?:Global|Local)\\\\[^\\s"'\`,;]{2,260})`,
    'gi',
  ),
]

const AGENT_LABEL =
  /(?<![A-Za-z])user[- ]?agents?(?: string)?(?: is| was)?\s{0,2}[:=]\s{0,2}(?:"([^"\r\n]{3,500})"|'([^'\r\n]{3,500})'|([^\r\n"'<>|]{3,500}))/gi
const AGENT_QUOTED = new RegExp(
  `(?<![A-Za-z])user[- ]?agents?(?: string)?(?: (?:of|is|was|named))?\\s{1,2}${QUOTED}`,
  'gi',
)
const AGENT = /(?<![\w/])(?:Mozilla|Opera|Dalvik)\/\d{1,2}\.\d{1,2}/g
/** User agents of programs other than browsers. */
const PROGRAM =
  /(?<![\w/])(?:curl|Wget|python-requests|Python-urllib|Go-http-client|okhttp|libwww-perl|Microsoft-CryptoAPI|WinHTTP|axios)\/\d[\w.-]{0,20}/g
const AGENT_PART =
  /^ (?:\([^()\r\n]{0,300}(?:\([^()\r\n]{0,100}\)[^()\r\n]{0,300}){0,5}\)|[A-Za-z][\w.;-]{0,40}\/[\w.+-]{1,60}|(?:Mobile|Safari|Version|like Gecko)(?![\w]))/
const MAX_AGENT_PARTS = 30

/** Finds values that are recognised only by a label before them or by a well-known prefix. */
export function findLabelled(scan: Scan): void {
  for (const pattern of MUTEXES) for (const match of scan.source.matchAll(pattern)) takeValue(scan, 'mutex', match)
  for (const { index } of scan.source.matchAll(AGENT)) takeAgent(scan, index)
  for (const pattern of [AGENT_LABEL, AGENT_QUOTED]) {
    for (const match of scan.source.matchAll(pattern)) takeValue(scan, 'user-agent', match)
  }
  for (const { 0: text, index } of scan.source.matchAll(PROGRAM)) {
    takeSpan(scan, 'user-agent', { start: index, end: index + text.length })
  }
}

function takeValue(scan: Scan, type: 'mutex' | 'user-agent', { 0: whole, index, ...groups }: RegExpExecArray): void {
  const value = (groups[1] ?? groups[2] ?? groups[3] ?? '').trim()
  const start = index + whole.lastIndexOf(value)
  const text = type === 'mutex' ? value.replace(/(?<![.)\]])[.)\]]+$/, '') : value
  takeSpan(scan, type, { start, end: start + text.length })
}

/** Takes a browser's user agent: a sequence of products with versions and comments in parentheses. */
function takeAgent(scan: Scan, start: number): void {
  let end = scan.source.indexOf('/', start)
  end += /^[\d./]+/.exec(scan.source.slice(end, end + 8))?.[0].length ?? 0
  for (let i = 0; i < MAX_AGENT_PARTS; i++) {
    const [part] = AGENT_PART.exec(scan.source.slice(end, end + 2_000)) ?? []
    if (part === undefined) break
    end += part.length
  }
  takeSpan(scan, 'user-agent', { start, end: end - (/[.,;]$/.test(scan.source.slice(start, end)) ? 1 : 0) })
}

function takeSpan(scan: Scan, type: 'mutex' | 'user-agent', span: Span): void {
  if (usedAt(scan, span.start) !== FREE || span.end <= span.start) return
  if (note(scan, type, scan.source.slice(span.start, span.end), span) !== undefined) use(scan, span)
}
