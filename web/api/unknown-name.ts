const WORDS: Readonly<Record<string, string>> = {
  users: 'Another user',
  sources: 'Unknown source',
  groups: 'Unknown group',
  workspaces: 'Unknown workspace',
  datasets: 'Unknown dataset',
  tasks: 'Unknown task',
  taxonomies: 'Unknown taxonomy',
  enrichers: 'Unknown enricher',
  detonators: 'Unknown sandbox',
  playbooks: 'Unknown playbook',
  'incoming-feeds': 'Unknown feed',
  'outgoing-feeds': 'Unknown feed',
  'csv-mappings': 'Unknown CSV mapping',
  'consolidation-rules': 'Unknown policy',
  'discovery-rules': 'Unknown discovery rule',
}

/** A placeholder for an object whose name is not readable: its id would mean nothing to users. */
export function unknownName(url: string): string {
  const [path = ''] = url.split('?')
  const collection = path.split('/').at(-2) ?? ''
  return WORDS[collection] ?? 'Unknown'
}
