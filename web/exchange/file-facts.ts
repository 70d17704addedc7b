const GUESSES: readonly { readonly ends: readonly string[]; readonly guess: string; readonly isArchive?: boolean }[] = [
  { ends: ['.zip', '.gz', '.tgz', '.tar'], guess: 'Archive (will be unpacked)', isArchive: true },
  { ends: ['.json', '.jsonl', '.ndjson', '.stix', '.stix2'], guess: 'STIX 2, MISP or platform JSON' },
  { ends: ['.xml', '.ioc'], guess: 'STIX 1 or OpenIOC' },
  { ends: ['.csv', '.tsv'], guess: 'CSV table' },
  {
    ends: ['.pdf', '.docx', '.html', '.htm', '.md', '.eml', '.txt', '.log'],
    guess: 'Report (observables are extracted)',
  },
]

/** The likely format of a file by its name; the server detects it from the content. */
export function guessFormat(name: string): { readonly guess: string; readonly isArchive: boolean } {
  const lower = name.toLowerCase()
  const found = GUESSES.find(({ ends }) => ends.some((end) => lower.endsWith(end)))
  return { guess: found?.guess ?? 'Detected from its content', isArchive: found?.isArchive ?? false }
}

const FORMATS: Readonly<Record<string, string>> = {
  'stix-1': 'STIX 1',
  'stix-2': 'STIX 2',
  misp: 'MISP',
  'misp-galaxy': 'MISP galaxy',
  openioc: 'OpenIOC',
  'platform-json': 'Platform JSON',
  json: 'JSON',
  xml: 'XML',
  csv: 'CSV',
  html: 'HTML',
  pdf: 'PDF',
  docx: 'Word',
  email: 'E-mail',
  markdown: 'Markdown',
  text: 'Text',
  zip: 'Zip archive',
  gzip: 'Gzip archive',
  tar: 'Tar archive',
  unknown: 'Unknown',
}

/** The display name of a format. */
export const formatName = (format: string | null): string => (format === null ? '–' : (FORMATS[format] ?? format))

/** The counts of one kind of object in a file, by outcome. */
export interface Tally {
  readonly kind: string
  readonly counts: readonly (readonly [outcome: string, count: number])[]
}

const KINDS: readonly (readonly [name: string, label: string])[] = [
  ['entities', 'Entities'],
  ['relationships', 'Relationships'],
  ['observables', 'Observables'],
  ['parts', 'Other objects'],
]

/** The counts in a result, by kind of object. */
export function talliesOf(result: unknown): readonly Tally[] {
  if (result === null || typeof result !== 'object') return []
  const counted = result as Readonly<Record<string, unknown>>
  return KINDS.flatMap(([name, kind]) => {
    const counts = counted[name]
    if (counts === null || typeof counts !== 'object') return []
    return [{ kind, counts: Object.entries(counts).map(([outcome, count]) => [outcome, Number(count)] as const) }]
  })
}

/** The number of objects with losses. */
export const lostIn = (result: unknown): number => {
  const lost = (result as { lost?: unknown } | null)?.lost
  return typeof lost === 'number' ? lost : 0
}

/** What concerns the file as a whole. */
export function notesIn(result: unknown): readonly string[] {
  const notes = (result as { notes?: unknown } | null)?.notes
  return Array.isArray(notes) ? notes.map(String) : []
}
