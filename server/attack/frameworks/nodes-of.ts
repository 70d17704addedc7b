import { isRecord } from '../../domain/record.ts'
import { textFrom } from '../../domain/text-from.ts'
import { DocumentError } from '../../formats/document.ts'
import { listOf } from '../../formats/json/record.ts'
import type { Bundle, BundleObject } from './bundle-objects.ts'
import { type FrameworkNode, MATRICES, type Matrix, type NodeType } from './framework.ts'
import { type Placed, placeRevoked } from './place-revoked.ts'
import { successorsOf } from './successors.ts'

const TACTIC = /^TA\d{2,4}$/
const TECHNIQUE = /^T\d{4}(?:\.\d{3})?$/
/** Live nodes come first. */
const LAST = 1_000_000
/** A hundred times what the largest matrix has. */
const MAX_PLACES = 100_000
const MAX_CHARACTERS = 100_000_000

/** The matrix that a bundle describes: the one that is not deprecated. */
export function matrixOf({ objects }: Bundle): { readonly matrix: Matrix; readonly object: BundleObject } {
  const found = objects.filter(({ type }) => type === 'x-mitre-matrix')
  const live = found.filter(({ state }) => state === 'live').sort((a, b) => tacticRefs(b).length - tacticRefs(a).length)
  const [object] = live
  if (!object)
    throw new DocumentError(
      found[0]
        ? `The matrix '${found[0].name.slice(0, 80)}' is ${found[0].state}, and the document has no other one.`
        : 'The document has no matrix of an attack framework.',
    )
  const matrix = named(object)
  if (!matrix)
    throw new DocumentError(
      `The matrix '${object.name.slice(0, 80)}' is not one of ${MATRICES.join(', ')}: its external id is '${object.externalId.slice(0, 80)}'.`,
    )
  // Mobile was divided into two matrices up to version 10, which share its id.
  const tactics = live.flatMap(tacticRefs)
  if (live.some((each) => named(each) !== matrix) || new Set(tactics).size < tactics.length)
    throw new DocumentError(
      `The document has ${live.length} matrices (${live.map(({ name }) => `'${name.slice(0, 80)}'`).join(', ')}). Load them one by one.`,
    )
  return { matrix, object: { ...object, more: { ...object.more, tactic_refs: tactics } } }
}

const tacticRefs = ({ more }: BundleObject): readonly unknown[] => listOf(more.tactic_refs)

/** The matrix that an object is. DISARM has the kill chain of ATT&CK, so that only its matrix tells them apart. */
const named = ({ externalId }: BundleObject): Matrix | undefined =>
  MATRICES.find((each) => each === (FORMER_IDS.get(externalId) ?? externalId))

/** The ids that matrices had in early versions. */
const FORMER_IDS: ReadonlyMap<string, Matrix> = new Map([['MA0010', 'ics-attack']])

/** The nodes of a matrix, parents before their children. */
export function nodesOf(
  bundle: Bundle,
  matrix: Matrix,
  root: BundleObject,
  formerNames: ReadonlyMap<string, string>,
  faults: string[],
  warnings: string[],
): FrameworkNode[] {
  const tactics = tacticsOf(bundle, root, faults)
  const given = new Set(tactics.map(({ externalId }) => externalId))
  const byPhase = new Map([
    ...[...formerNames].filter(([, tactic]) => given.has(tactic)),
    ...tactics.map((tactic): [string, string] => [textFrom(tactic.more.x_mitre_shortname ?? ''), tactic.externalId]),
  ])
  const techniques = placeRevoked(bundle, techniquesOf(bundle, byPhase, faults, warnings))
  for (const { object } of techniques.filter(({ tactics }) => tactics.length === 0))
    warnings.push(`${object.externalId} '${object.name.slice(0, 80)}' has no tactic of this matrix. It was left out.`)
  refuseTooMany(techniques)
  const parents = new Map(
    bundle.links.filter(({ type }) => type === 'subtechnique-of').map(({ source, target }) => [source, target]),
  )
  const byId = new Map(techniques.map((each) => [each.object.id, each]))
  const nodes = [
    nodeOf(root, matrix, 'matrix', null, 0),
    ...tactics.map((tactic, i) => nodeOf(tactic, tactic.externalId, 'tactic', matrix, positionOf(tactic, i))),
  ]
  const order = new Map(tactics.map(({ externalId }, i) => [externalId, i]))
  const placed = techniques
    .flatMap((each) => each.tactics.map((tactic) => ({ ...each, tactic })))
    .sort((a, b) => (order.get(a.tactic) ?? 0) - (order.get(b.tactic) ?? 0))
  const ids = new Set(placed.map(({ object, tactic }) => `${tactic}:${object.externalId}`))
  placed.forEach(({ object, tactic }, i) => {
    const above = aboveOf(object, byId.get(parents.get(object.id) ?? '')?.object)
    const id = `${tactic}:${object.externalId}`
    const parent = above === null ? tactic : `${tactic}:${above}`
    if (above === null) nodes.push(nodeOf(object, id, 'technique', tactic, positionOf(object, i)))
    else if (ids.has(parent)) nodes.push(nodeOf(object, id, 'subtechnique', parent, positionOf(object, i)))
    else if (object.state === 'live') faults.push(`${id} is below ${parent}, which does not exist.`)
    else warnings.push(`${id} is ${object.state} and below ${parent}, which does not exist. It was left out.`)
  })
  return successorsOf(bundle, parentsFirst(nodes), faults)
}

/** Every place of a technique is a row with its texts, so that a small document could become a large table. */
function refuseTooMany(techniques: readonly Placed[]): void {
  let places = 0
  let characters = 0
  for (const { object, tactics } of techniques) {
    places += tactics.length
    characters += tactics.length * (object.description.length + JSON.stringify(object.references).length)
  }
  if (places > MAX_PLACES) throw new DocumentError(`The techniques have more than ${MAX_PLACES} places in the matrix.`)
  if (characters > MAX_CHARACTERS)
    throw new DocumentError(`The texts in all places have more than ${MAX_CHARACTERS} characters.`)
}

/** The tactics in the order of the matrix; dead ones come last. */
function tacticsOf({ objects }: Bundle, root: BundleObject, faults: string[]): BundleObject[] {
  const all = unique(
    objects.filter(({ type }) => type === 'x-mitre-tactic'),
    TACTIC,
    'tactic',
    faults,
  )
  const order = new Map(listOf(root.more.tactic_refs).map((id, i) => [id, i]))
  const known = new Set(all.map(({ id }) => id))
  for (const id of order.keys())
    if (!known.has(textFrom(id)))
      faults.push(`The matrix has the tactic ${textFrom(id).slice(0, 100)}, which does not exist.`)
  return all
    .map((tactic) =>
      order.has(tactic.id) || tactic.state !== 'live' ? tactic : { ...tactic, state: 'deprecated' as const },
    )
    .sort((a, b) => (order.get(a.id) ?? LAST) - (order.get(b.id) ?? LAST))
}

function techniquesOf(
  { objects }: Bundle,
  byPhase: ReadonlyMap<string, string>,
  faults: string[],
  warnings: string[],
): Placed[] {
  const all = unique(
    objects.filter(({ type }) => type === 'attack-pattern'),
    TECHNIQUE,
    'technique',
    faults,
    warnings,
  )
  return all
    .map((object) => {
      const phases = listOf(object.more.kill_chain_phases).filter(isRecord)
      const tactics = [...new Set(phases.flatMap(({ phase_name }) => byPhase.get(textFrom(phase_name)) ?? []))]
      return { object, tactics }
    })
    .sort((a, b) => (a.object.externalId < b.object.externalId ? -1 : 1))
}

/** One object for each external id: the live one, if there is one. Dead objects may have the id of another, or none. */
export function unique(
  objects: readonly BundleObject[],
  form: RegExp,
  title: string,
  faults: string[],
  warnings: string[] = faults,
): BundleObject[] {
  const found = new Map<string, BundleObject>()
  for (const object of objects) {
    const { externalId, state } = object
    const known = found.get(externalId)
    if (!form.test(externalId)) {
      const text = `${object.id} is a ${title} with the id '${externalId.slice(0, 80)}'.`
      if (state === 'live') faults.push(text)
      else warnings.push(`${text} It is ${state} and was left out.`)
    } else if (known?.state === 'live' && state === 'live')
      faults.push(`${externalId} is the id of two objects: ${known.id} and ${object.id}.`)
    else if (!known || state === 'live') found.set(externalId, object)
  }
  return [...found.values()]
}

/** The external id of the technique that a sub-technique is below; null for techniques. */
function aboveOf({ externalId, more }: BundleObject, parent: BundleObject | undefined): string | null {
  const isBelow = externalId.includes('.') || more.x_mitre_is_subtechnique === true
  return isBelow ? (parent?.externalId ?? externalId.split('.')[0] ?? null) : null
}

const positionOf = ({ state }: BundleObject, i: number): number => (state === 'live' ? i : LAST + i)

const nodeOf = (
  object: BundleObject,
  id: string,
  type: NodeType,
  parent: string | null,
  position: number,
): FrameworkNode => ({
  id,
  type,
  parent,
  name: object.name,
  description: object.description,
  position,
  platforms: object.platforms,
  stix_id: object.id,
  external_id: object.externalId,
  short_name: type === 'tactic' ? textFrom(object.more.x_mitre_shortname ?? '') || null : null,
  external_references: object.references,
  state: object.state,
  successors: [],
})

const RANK: Readonly<Record<NodeType, number>> = { matrix: 0, tactic: 1, technique: 2, subtechnique: 3 }

const parentsFirst = (nodes: readonly FrameworkNode[]): FrameworkNode[] =>
  [...nodes].sort((a, b) => RANK[a.type] - RANK[b.type] || a.position - b.position)
