import type { Kind } from '../recognise.ts'

interface Claim {
  readonly endings: readonly string[]
  readonly called: string
  /** Fallback kinds that a file with this extension must not be recognised as. */
  readonly not: readonly Kind[]
}

const TEXTS: readonly Kind[] = ['text', 'csv', 'markdown', 'email', 'html']

const CLAIMS: readonly Claim[] = [
  {
    endings: ['json', 'jsonl', 'ndjson', 'geojson', 'misp', 'stix', 'stix2'],
    called: 'JSON',
    not: [...TEXTS, 'unknown'],
  },
  { endings: ['xml'], called: 'XML', not: [...TEXTS, 'unknown'] },
  { endings: ['csv', 'tsv', 'tab'], called: 'a table', not: ['html', 'email', 'unknown'] },
  { endings: ['eml'], called: 'an e-mail', not: ['text', 'csv', 'markdown', 'unknown'] },
  { endings: ['pdf'], called: 'a PDF document', not: [...TEXTS, 'unknown', 'json', 'xml'] },
  { endings: ['docx'], called: 'a Word document', not: [...TEXTS, 'json', 'xml'] },
  { endings: ['zip', 'gz', 'tgz', 'tar'], called: 'an archive', not: [...TEXTS, 'unknown', 'json', 'xml'] },
  { endings: ['txt', 'text', 'log', 'list', 'lst', 'md', 'markdown', 'htm', 'html'], called: 'text', not: ['unknown'] },
]

/** Returns why a file does not match its extension; undefined if it may. A file that is clearly of another kind is read as that kind. */
export function brokenClaim(name: string, format: Kind, text: string): string | undefined {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name.slice(-20))?.[1]?.toLowerCase() ?? ''
  const claim = CLAIMS.find(({ endings }) => endings.includes(ending))
  if (!claim?.not.includes(format)) return undefined
  // Web pages may be written as XML.
  if (ending === 'xml' && format === 'html' && /^\s{0,99}<\?xml/.test(text)) return undefined
  return `The file has the extension .${ending}, but is not ${claim.called}: it ${beginningOf(text, format)}.`
}

function beginningOf(text: string, format: Kind): string {
  if (format === 'html') return 'is a web page'
  if (format === 'unknown') return /^\0*$/.test(text) ? 'contains only NUL characters' : 'is not text'
  const start = text.trimStart().slice(0, 40).replace(/\s+/g, ' ')
  return start === '' ? 'contains only white space' : `starts with ${JSON.stringify(start)}`
}
