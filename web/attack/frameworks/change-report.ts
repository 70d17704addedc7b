/** A node that is new or live again. */
export interface NamedNode {
  readonly id: string
  readonly name: string
}

/** A node that is no longer live. */
export interface DeadNode extends NamedNode {
  readonly successors: readonly string[]
}

interface RenamedNode {
  readonly id: string
  readonly before: string
  readonly after: string
}

/** A technique that has other places. */
interface MovedTechnique {
  readonly external_id: string
  readonly name: string
  readonly from: readonly string[]
  readonly to: readonly string[]
}

interface NamedDefense {
  readonly type: string
  readonly external_id: string
  readonly name: string
}

/** An object with a query that names a node. */
export interface NamingQuery {
  readonly kind: string
  readonly id: number
  readonly name: string
}

/** What uses a node. */
export interface Uses {
  /** Those that the reader sees. */
  readonly entities: number
  readonly annotations: number
  /** Analyses with an imported layer that names the node. */
  readonly layers: number
  /** Techniques of own defenses. */
  readonly links: number
  readonly queries: readonly NamingQuery[]
}

/** A node that something uses and that is no longer live. */
export interface UsedNode extends Uses {
  readonly id: string
  readonly successors: readonly string[]
  /** Its one successor takes its place, a user chooses among several, or it has none and stays. */
  readonly outcome: 'remapped' | 'review' | 'kept'
}

/** What differs between the stored version of a matrix and another one. */
export interface ChangeReport {
  readonly new: readonly NamedNode[]
  readonly live_again: readonly NamedNode[]
  readonly revoked: readonly DeadNode[]
  readonly deprecated: readonly DeadNode[]
  readonly renamed: readonly RenamedNode[]
  readonly moved: readonly MovedTechnique[]
  readonly text_changed: readonly NamedNode[]
  /** How many nodes get a description that had none. */
  readonly texts_added: number
  readonly new_defenses: readonly NamedDefense[]
  readonly removed_defenses: readonly NamedDefense[]
  readonly relationships: { readonly new: number; readonly removed: number }
  /** What of the document could not be used, and what to check. */
  readonly warnings: readonly string[]
  readonly uses: readonly UsedNode[]
  /** Nodes that something uses and that get another name. */
  readonly renamed_uses: readonly (RenamedNode & Uses)[]
}

/** One line of a section of a report: what changes, and what it becomes. */
export interface Change {
  readonly key: string
  readonly id: string
  readonly name: string
  /** What it becomes, such as its successors or its new name; absent if the section says everything. */
  readonly after?: string
}

/** A part of a report that is shown together. */
export interface ReportSection {
  readonly name: string
  readonly label: string
  readonly description: string
  readonly changes: readonly Change[]
}

const ofNode = ({ id, name }: NamedNode): Change => ({ key: id, id, name })

const ofDead = ({ id, name, successors }: DeadNode): Change => ({
  key: id,
  id,
  name,
  after: successors.length === 0 ? 'No successor' : `→ ${successors.join(', ')}`,
})

const ofDefense = ({ type, external_id, name }: NamedDefense): Change => ({
  key: `${type} ${external_id}`,
  id: external_id,
  name,
})

/** The sections of a report that have changes, the most important first. */
export function sectionsOf(report: ChangeReport): readonly ReportSection[] {
  const all: readonly ReportSection[] = [
    {
      name: 'revoked',
      label: 'Revoked',
      description: 'Replaced by its successors.',
      changes: report.revoked.map(ofDead),
    },
    {
      name: 'deprecated',
      label: 'Deprecated',
      description: 'No longer maintained. What uses one of these keeps it unless there is a successor.',
      changes: report.deprecated.map(ofDead),
    },
    {
      name: 'moved',
      label: 'Moved',
      description: 'Techniques that belong to other tactics.',
      changes: report.moved.map(({ external_id, name, from, to }) => ({
        key: external_id,
        id: external_id,
        name,
        after: `${from.join(', ')} → ${to.join(', ')}`,
      })),
    },
    {
      name: 'renamed',
      label: 'Renamed',
      description: 'The id stays. Check that the meaning does as well.',
      changes: report.renamed.map(({ id, before, after }) => ({ key: id, id, name: before, after: `→ ${after}` })),
    },
    { name: 'new', label: 'New', description: 'Nodes that did not exist before.', changes: report.new.map(ofNode) },
    {
      name: 'live_again',
      label: 'Live again',
      description: 'Nodes that were revoked or deprecated before.',
      changes: report.live_again.map(ofNode),
    },
    {
      name: 'text_changed',
      label: 'Text changed',
      description: 'The description is different.',
      changes: report.text_changed.map(ofNode),
    },
    {
      name: 'new_defenses',
      label: 'New defenses',
      description: 'Mitigations, detection strategies, analytics and data components.',
      changes: report.new_defenses.map(ofDefense),
    },
    {
      name: 'removed_defenses',
      label: 'Removed defenses',
      description: 'What you said about them is kept.',
      changes: report.removed_defenses.map(ofDefense),
    },
  ]
  return all.filter(({ changes }) => changes.length > 0)
}

/** Further numbers of a report, in words. */
export function remarksOf({ texts_added, relationships }: ChangeReport): readonly string[] {
  const { new: added, removed } = relationships
  return [
    ...(texts_added > 0 ? [`${texts_added.toLocaleString('en')} descriptions are added`] : []),
    ...(added > 0 ? [`${added.toLocaleString('en')} relationships of defenses are new`] : []),
    ...(removed > 0 ? [`${removed.toLocaleString('en')} relationships of defenses are removed`] : []),
  ]
}

/** The sections with only the changes that contain all typed words. */
export function matchingSections(sections: readonly ReportSection[], typed: string): readonly ReportSection[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return sections
  const has = ({ id, name, after = '' }: Change) => {
    const text = `${id} ${name} ${after}`.toLowerCase()
    return words.every((word) => text.includes(word))
  }
  return sections
    .map((section) => ({ ...section, changes: section.changes.filter(has) }))
    .filter(({ changes }) => changes.length > 0)
}
