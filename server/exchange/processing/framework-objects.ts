import type { Finding } from '../../formats/finding.ts'

/** What bundles of attack frameworks describe them with, apart from techniques and mitigations, which are intelligence as well. */
const TYPES: ReadonlySet<unknown> = new Set([
  'x-mitre-matrix',
  'x-mitre-tactic',
  'x-mitre-data-source',
  'x-mitre-data-component',
  'x-mitre-detection-strategy',
  'x-mitre-analytic',
])

/** Numbers of objects that describe an attack framework, by type. */
export type FrameworkCounts = Map<string, number>

export function countFrameworkObject(counts: FrameworkCounts, finding: Finding): void {
  const type = finding.kind === 'entity' ? finding.entity.data.custom_entity_type : undefined
  if (typeof type === 'string' && TYPES.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1)
}

/** A line for each type, for those who expected a matrix to change. */
export const frameworkNotes = (counts: FrameworkCounts): string[] =>
  [...counts].toSorted().map(([type, count]) => {
    const read =
      count === 1 ? '1 object was read as an entity' : `${count.toLocaleString('en')} objects were read as entities`
    return `${type}: ${read}. To change the matrix of an attack framework, load the bundle at ATT&CK → Frameworks.`
  })
