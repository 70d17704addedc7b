import type { HistoryEvent } from '../api/resources.ts'

interface Words {
  readonly text: string
  /** The page of the automation. */
  readonly to?: string
  readonly permission: string
}

/** What automations of each kind are called, their pages, and the permission to open these. */
const KINDS: Readonly<Record<string, readonly [text: string, pages: string, permission: string]>> = {
  'attack-upgrade': ['by another version of an attack framework', '/attack/frameworks', 'read attack'],
  consolidation: ['by consolidation', '/consolidation-rules', 'read rules'],
  detonator: ['by a detonator', '/detonators', 'read detonators'],
  enricher: ['by an enricher', '/enrichers', 'read enrichers'],
  follower: ['by an automation', '', ''],
  playbook: ['by a playbook', '/playbooks', 'read playbooks'],
  rule: ['by an entity rule', '/entity-rules', 'read rules'],
  'rule-undo': ['by undoing an entity rule', '/entity-rules', 'read rules'],
}

/** The automation that made a change in words; undefined if a user or a feed made it. Several of a kind have their list as page. */
export function causeInWords(cause: HistoryEvent['cause']): Words | undefined {
  if (cause === null) return undefined
  const [text, pages, permission] = KINDS[cause.kind] ?? ['by an automation', '', '']
  if (cause.id === null || pages === '') return { text, permission }
  return { text, to: cause.id.includes(',') ? pages : `${pages}/${cause.id}`, permission }
}
