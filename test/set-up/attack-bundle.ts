import { createHash } from 'node:crypto'
import type { Framework } from '../../server/attack/frameworks/framework.ts'
import { readFacts } from '../../server/attack/frameworks/ship-facts.ts'

/** A technique of a bundle, with the short names of its tactics. */
export interface Technique {
  readonly id: string
  readonly name: string
  readonly tactics: readonly string[]
  /** The ids of techniques. */
  readonly revokedBy?: readonly string[]
  readonly isDeprecated?: boolean
  readonly description?: string
  readonly stixId?: string
}

export interface Tactic {
  readonly id: string
  readonly name: string
  readonly shortName: string
  readonly stixId?: string
  readonly isDead?: boolean
}

/** A mitigation, and the ids of the techniques that it helps against. */
export interface Mitigation {
  readonly id: string
  readonly name: string
  readonly against: readonly string[]
}

/** What a bundle says, in the order of the matrix. */
export interface Content {
  readonly matrix: string
  readonly name: string
  readonly version: string | null
  readonly tactics: readonly Tactic[]
  readonly techniques: readonly Technique[]
  readonly mitigations?: readonly Mitigation[]
  /** What programs did, by the ids of techniques. */
  readonly procedures?: Readonly<Record<string, readonly string[]>>
  readonly notice?: string
}

/** A STIX id that follows from a name. */
export const stixIdOf = (type: string, name: string): string => {
  const digits = createHash('sha256').update(`${type} ${name}`).digest('hex')
  return `${type}--${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

const reference = (id: string) => [{ source_name: 'mitre-attack', external_id: id }]

/** The objects of a bundle as the publishers write them. */
export function objectsOf(content: Content): Record<string, unknown>[] {
  const {
    matrix,
    name,
    version,
    tactics,
    techniques,
    mitigations = [],
    procedures = {},
    notice = 'Reproduced with permission.',
  } = content
  const tacticId = (tactic: Tactic) => tactic.stixId ?? stixIdOf('x-mitre-tactic', tactic.id)
  const ids = new Map(techniques.map(({ id, stixId }) => [id, stixId ?? stixIdOf('attack-pattern', id)]))
  const link = (type: string, source: string, target: string) => ({
    type: 'relationship',
    id: stixIdOf('relationship', `${type} ${source} ${target}`),
    relationship_type: type,
    source_ref: source,
    target_ref: target,
  })
  const idOf = (id: string) => ids.get(id) ?? stixIdOf('attack-pattern', id)
  return [
    ...(version === null
      ? []
      : [{ type: 'x-mitre-collection', id: stixIdOf('x-mitre-collection', matrix), x_mitre_version: version }]),
    { type: 'marking-definition', id: stixIdOf('marking-definition', matrix), definition: { statement: notice } },
    {
      type: 'x-mitre-matrix',
      id: stixIdOf('x-mitre-matrix', matrix),
      name,
      external_references: reference(matrix),
      tactic_refs: tactics.filter(({ isDead }) => !isDead).map(tacticId),
    },
    ...tactics.map((tactic) => ({
      type: 'x-mitre-tactic',
      id: tacticId(tactic),
      name: tactic.name,
      x_mitre_shortname: tactic.shortName,
      external_references: reference(tactic.id),
      ...(tactic.isDead && { x_mitre_deprecated: true }),
    })),
    ...techniques.map(({ id, name, tactics, revokedBy, isDeprecated, description = `About ${name}.` }) => ({
      type: 'attack-pattern',
      id: idOf(id),
      name,
      description,
      external_references: reference(id),
      kill_chain_phases: tactics.map((phase_name) => ({ kill_chain_name: 'mitre-attack', phase_name })),
      x_mitre_is_subtechnique: id.includes('.'),
      modified: '2026-04-28T00:00:00.000Z',
      ...(revokedBy && { revoked: true }),
      ...(isDeprecated && { x_mitre_deprecated: true }),
    })),
    ...techniques.flatMap(({ id, revokedBy = [] }) => [
      ...revokedBy.map((next) => link('revoked-by', idOf(id), idOf(next))),
      ...(id.includes('.') ? [link('subtechnique-of', idOf(id), idOf(id.split('.')[0] ?? ''))] : []),
    ]),
    ...mitigations.map(({ id, name }) => ({
      type: 'course-of-action',
      id: stixIdOf('course-of-action', id),
      name,
      external_references: reference(id),
    })),
    ...mitigations.flatMap(({ id, against }) =>
      against.map((technique) => link('mitigates', stixIdOf('course-of-action', id), idOf(technique))),
    ),
    ...Object.entries(procedures).flatMap(([technique, texts]) =>
      texts.map((description) => ({
        ...link('uses', stixIdOf('malware', description), idOf(technique)),
        description,
      })),
    ),
  ]
}

/** The JSON of a bundle. */
export const bundleOf = (content: Content): string =>
  JSON.stringify({ type: 'bundle', id: stixIdOf('bundle', content.matrix), objects: objectsOf(content) })

/** A framework as the content of a bundle. */
export function contentOf({ matrix, version, nodes }: Framework): Content {
  const shortNames = new Map(nodes.map(({ id, short_name }) => [id, short_name ?? id]))
  const externalIds = new Map(nodes.map(({ id, external_id }) => [id, external_id]))
  const places = Map.groupBy(
    nodes.filter(({ type }) => type === 'technique' || type === 'subtechnique'),
    ({ external_id }) => external_id,
  )
  return {
    matrix,
    name: nodes.find(({ type }) => type === 'matrix')?.name ?? matrix,
    version,
    tactics: nodes
      .filter(({ type }) => type === 'tactic')
      .map(({ id, name, stix_id, state }) => ({
        id,
        name,
        shortName: shortNames.get(id) ?? id,
        stixId: stix_id,
        isDead: state !== 'live',
      })),
    techniques: [...places.values()].flatMap((all) => {
      const [first] = all
      if (!first) return []
      const revokedBy = [
        ...new Set(all.flatMap(({ successors }) => successors.flatMap((id) => externalIds.get(id) ?? []))),
      ]
      return [
        {
          id: first.external_id,
          name: first.name,
          stixId: first.stix_id,
          tactics: all.map(({ id }) => shortNames.get(id.split(':')[0] ?? '') ?? ''),
          ...(first.state === 'revoked' && { revokedBy }),
          ...(first.state === 'deprecated' && { isDeprecated: true }),
        },
      ]
    }),
  }
}

/** The content of the shipped facts of a matrix. */
export async function shippedContent(matrix: string): Promise<Content> {
  const facts = (await readFacts()).find((each) => each.matrix === matrix)
  if (!facts) throw new TypeError(`No facts of ${matrix}.`)
  return contentOf(facts)
}
