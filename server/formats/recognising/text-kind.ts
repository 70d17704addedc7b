import { isSigma } from '../sigma/sigma-rule.ts'

type TextKind = 'html' | 'markdown' | 'csv' | 'email' | 'sigma' | 'text'

/** E-mail headers. Those in the first group hardly occur anywhere else. */
const MAIL_HEADERS = new Set([
  'received',
  'return-path',
  'delivered-to',
  'message-id',
  'mime-version',
  'dkim-signature',
])
const OFTEN_IN_MAILS = new Set(['from', 'to', 'cc', 'subject', 'date', 'reply-to', 'content-type', 'sender'])

const MARKS: readonly RegExp[] = [
  /^#{1,6} \S/m,
  /^(?:```|~~~)/m,
  /\[[^\][\n]{1,200}\]\([^()\s]{1,500}\)/,
  /^\s{0,3}[-*] \S/m,
  /^\|? ?:?-{3,}:? ?\|/m,
  /\*\*[^*\n]{1,200}\*\*/,
  /^> \S/m,
]
const MARKDOWN_MARKS_NEEDED = 3

/** Returns the kind of a plain text by its contents and, if these are ambiguous, by its name. */
export function textKind(text: string, name: string): TextKind {
  const extension = /\.([a-z0-9]{1,10})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  if (isMail(text, extension === 'eml')) return 'email'
  if (/^(?:ya?ml|)$/.test(extension) && isSigma(text)) return 'sigma'
  if (/<html[\s>]/i.test(text) || (/^x?html?$/.test(extension) && text.includes('<'))) return 'html'
  if (extension === 'csv' || extension === 'tsv') return 'csv'
  if (extension === 'md' || extension === 'markdown') return 'markdown'
  if (extension === '' && MARKS.filter((mark) => mark.test(text)).length >= MARKDOWN_MARKS_NEEDED) return 'markdown'
  return 'text'
}

/** An e-mail starts with its headers, possibly folded over several lines, and an empty line ends them. */
function isMail(text: string, isNamedSo: boolean): boolean {
  const names = headersOf(text)
  if (!names) return false
  const count = (known: ReadonlySet<string>) => names.filter((name) => known.has(name)).length
  const [sure, usual] = [count(MAIL_HEADERS), count(OFTEN_IN_MAILS)]
  return isNamedSo ? sure + usual > 0 : (sure > 0 && sure + usual > 1) || (usual > 2 && names.includes('from'))
}

function headersOf(text: string): string[] | undefined {
  const names: string[] = []
  for (const line of text.split(/\r?\n/)) {
    if (line === '') return names
    if (/^[ \t]/.test(line) && names.length > 0) continue
    const header = /^([!-9;-~]{1,100}):/.exec(line)
    if (header?.[1]) names.push(header[1].toLowerCase())
    else if (names.length > 0 || !/^From \S/.test(line)) return undefined
  }
  return names
}
