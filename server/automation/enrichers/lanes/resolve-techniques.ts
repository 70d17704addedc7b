import { readNodes } from '../../../attack/classification/nodes.ts'
import { type Resolution, resolveAttacks } from '../../../attack/classification/resolve.ts'
import type { Server } from '../../../server.ts'
import type { Finding, LookUpResult } from '../function.ts'

/**
 * A result whose techniques are those of the loaded attack frameworks: revoked ones are replaced by their successors. Unknown ones are kept, and
 * the warnings say so.
 */
export async function resolveTechniques<R extends LookUpResult | { readonly state: 'FAILED' }>(
  server: Pick<Server, 'db' | 'vault'>,
  result: R,
): Promise<R> {
  if (result.state !== 'FOUND' || !result.findings.some(({ kind }) => kind === 'attack')) return result
  const nodes = await readNodes(server)
  const warnings: string[] = []
  const findings = result.findings.flatMap((finding): Finding[] => {
    if (finding.kind !== 'attack') return [finding]
    const resolution = resolveAttacks(nodes, [{ id: finding.node }])
    warnings.push(...resolution.notes, ...resolution.losses)
    return namesOf(finding.node, resolution).map((node) => ({ kind: 'attack', node }))
  })
  return { ...result, findings: distinct(findings), warnings: [...(result.warnings ?? []), ...warnings] }
}

/** A source that names a technique without its tactic means the technique, not each of its places. */
const namesOf = (named: string, { attacks }: Resolution): string[] =>
  named.includes(':') ? [...attacks] : [...new Set(attacks.map((id) => id.split(':').at(-1) ?? id))]

/** Several old techniques may have one successor. */
function distinct(findings: readonly Finding[]): Finding[] {
  const nodes = new Set<string>()
  return findings.filter((finding) => {
    if (finding.kind !== 'attack') return true
    const isNew = !nodes.has(finding.node)
    nodes.add(finding.node)
    return isNew
  })
}
