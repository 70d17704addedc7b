import type { Kind } from '../recognise.ts'

interface Claim {
  readonly endings: readonly string[]
  readonly called: string
  /** What a file with such an ending cannot be: these are kinds that anything is taken for. */
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

/** Why a file is not what its name says; undefined where it may be. What is clearly of another kind is read as that. */
export function brokenClaim(name: string, format: Kind, text: string): string | undefined {
  const ending = /\.([a-z0-9]{1,10})$/i.exec(name.slice(-20))?.[1]?.toLowerCase() ?? ''
  const claim = CLAIMS.find(({ endings }) => endings.includes(ending))
  if (!claim?.not.includes(format)) return undefined
  // Pages may be written as XML.
  if (ending === 'xml' && format === 'html' && /^\s{0,99}<\?xml/.test(text)) return undefined
  return `The file is called .${ending} and is not ${claim.called}: it ${beginningOf(text, format)}.`
}

function beginningOf(text: string, format: Kind): string {
  if (format === 'html') return 'is a web page'
  if (format === 'unknown') return /^\0*$/.test(text) ? 'has nothing but NUL characters' : 'is no text'
  const start = text.trimStart().slice(0, 40).replace(/\s+/g, ' ')
  return start === '' ? 'has nothing but white space' : `begins with ${JSON.stringify(start)}`
}
