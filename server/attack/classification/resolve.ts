import { isTechniqueId } from '../../formats/attack-words.ts'
import type { FoundAttack, FoundTactic } from '../../formats/finding.ts'
import type { Matrix } from '../frameworks/framework.ts'
import { isTechnique, type Node, type Nodes } from './nodes.ts'
import { attackOf, isLive, listed } from './references.ts'

/** The nodes that words of documents mean. */
export interface Resolution {
  /** The ids to classify with, without duplicates; also those that are unknown. */
  readonly attacks: readonly string[]
  /** The ids among them that are not in the loaded versions of the frameworks. */
  readonly unknown: readonly string[]
  /** What was replaced, kept although it is not live, or placed elsewhere, as lines for the report of an import. */
  readonly notes: readonly string[]
  /** What is no id at all and was left out, likewise. */
  readonly losses: readonly string[]
}

/** The matrices that a kill chain of documents may mean. DISARM calls its own `mitre-attack`, too. */
const KILL_CHAINS: ReadonlyMap<string, readonly Matrix[]> = new Map([
  ['mitre-attack', ['enterprise-attack', 'DISARM']],
  ['mitre-mobile-attack', ['mobile-attack']],
  ['mitre-ics-attack', ['ics-attack']],
  ['disarm', ['DISARM']],
])

/** The ids of tactics and techniques, also of those that are in no known version. */
const ANY_VERSION = /^(?:TA\d{2,4}|(?:TA\d{2,4}:)?T\d{4}(?:\.\d{3})?)$/
const STIX_ID = /^[a-z0-9-]+--[0-9a-f-]{36}$/
const LONGEST_SHOWN = 80
/** No matrix has as many tactics. Without a limit, a document with many techniques and tactics would take time for each pair of them. */
const MOST_TACTICS = 100

/**
 * Finds the nodes that words of documents mean. A technique without a tactic means all its places. A dead node is replaced by its successors if
 * they are one technique. Ids that are unknown in the loaded versions are kept, because a later version may know them.
 */
export function resolveAttacks(nodes: Nodes, said: readonly FoundAttack[]): Resolution {
  const parts = said.map((attack) => resolveOne(nodes, attack))
  const all = <K extends keyof Resolution>(name: K): string[] => [...new Set(parts.flatMap((part) => part[name] ?? []))]
  return { attacks: all('attacks'), unknown: all('unknown'), notes: all('notes'), losses: all('losses') }
}

function resolveOne(nodes: Nodes, { id, tactics: given = [] }: FoundAttack): Partial<Resolution> {
  const tactics = given.slice(0, MOST_TACTICS)
  if (given.length > tactics.length) {
    const { losses = [], ...found } = resolveOne(nodes, { id, tactics })
    return { ...found, losses: [...losses, `Only the first ${MOST_TACTICS} of ${given.length} tactics were read.`] }
  }
  if (id === undefined) return tacticsAlone(nodes, tactics)
  if (STIX_ID.test(id)) return replaced(placesAmong(nodes.withStixId(id), nodes, tactics).places, nodes)
  const technique = id.trim().toUpperCase()
  const plain = attackOf(ANY_VERSION.test(technique) ? technique : id.trim())
  if (plain === undefined) return { losses: [`'${shown(id)}' is not the id of an attack node.`] }
  const node = nodes.get(plain) ?? nodes.get(plain.toUpperCase())
  if (node) return replaced([node], nodes)
  const known = nodes.placesOf(plain)
  if (known.length === 0) return unknownId(nodes, plain, tactics)
  const { places, elsewhere } = placesAmong(known, nodes, tactics)
  const { notes = [], ...found } = replaced(places, nodes)
  return { ...found, notes: [...elsewhere.map((tactic) => notBelow(plain, tactic)), ...notes] }
}

const notBelow = (technique: string, { name }: FoundTactic): string =>
  `${technique} is not below the tactic '${shown(name)}' in the loaded version.`

/** The places of a technique below some tactics, also those that it has left for another; all of its live ones if it is below none. */
function placesAmong(places: readonly Node[], nodes: Nodes, tactics: readonly FoundTactic[]) {
  const above = new Set(places.map((place) => nodes.tacticOf(place)?.id))
  const meant = tactics.map((tactic) => nodes.tacticsNamed(tactic.name).filter(({ id }) => above.has(id)))
  const elsewhere = tactics.filter((_, i) => meant[i]?.length === 0)
  const ids = new Set(meant.flat().map(({ id }) => id))
  const named = places.filter((place) => ids.has(nodes.tacticOf(place)?.id ?? ''))
  const chosen = named.length > 0 ? named : places
  const isMoved = (place: Node) => named.includes(place) && place.successors.length > 0
  const usable = chosen.some(isLive) ? chosen.filter((place) => isLive(place) || isMoved(place)) : chosen
  return { places: usable, elsewhere }
}

/** Live nodes as they are, and those that took the place of dead ones. */
function replaced(found: readonly Node[], nodes: Nodes): Partial<Resolution> {
  const notes: string[] = []
  const attacks = found.flatMap((node) => {
    const { id, state } = node
    if (isLive(node)) return [id]
    const successors = successorsOf(node, nodes)
    const ids = successors.map((each) => each.id)
    if (new Set(successors.map(({ external_id }) => external_id)).size === 1) {
      notes.push(`${id} is ${state} and was replaced by ${listed(ids, 'and')}.`)
      return ids
    }
    if (ids.length > 1)
      notes.push(`${id} is ${state} and was kept, because it has several successors: ${listed(ids, 'and')}.`)
    return [id]
  })
  return { attacks, notes }
}

/** The live nodes that took the place of a dead one. A technique that left a tactic is found in its other places. */
function successorsOf(node: Node, nodes: Nodes): Node[] {
  const named = node.successors.flatMap((id) => nodes.get(id) ?? []).filter(isLive)
  if (named.length > 0 || !isTechnique(node)) return named
  return nodes.placesOf(node.external_id).filter(isLive)
}

/** What a document means by tactics without a technique. */
function tacticsAlone(nodes: Nodes, tactics: readonly FoundTactic[]): Partial<Resolution> {
  const found = tactics.map((tactic) => ({ tactic, meant: tacticsMeant(nodes, tactic) }))
  const meant = found.flatMap((each) => each.meant)
  const losses = found.flatMap(({ tactic, meant: those }) =>
    those.length > 0 ? [] : [`The tactic '${shown(tactic.name)}' is unknown.`],
  )
  return { ...replaced(meant, nodes), losses }
}

/** The tactics with a name; those of one matrix if the kill chain is known. */
function tacticsMeant(nodes: Nodes, tactic: FoundTactic): Node[] {
  const matrices = KILL_CHAINS.get(tactic.chain?.toLowerCase() ?? '')
  const found = nodes.tacticsNamed(tactic.name).filter(({ matrix }) => matrices?.includes(matrix) ?? true)
  // A live tactic may have taken the name of a dead one.
  return found.some(isLive) ? found.filter(isLive) : found
}

/** An id that no loaded version has, below its tactics as far as these are known. */
function unknownId(nodes: Nodes, id: string, tactics: readonly FoundTactic[]): Partial<Resolution> {
  const above = isTechniqueId(id) ? tactics.flatMap((tactic) => onlyOne(tacticsMeant(nodes, tactic))) : []
  const attacks = above.length > 0 ? above.map((tactic) => `${tactic.id}:${id}`) : [id]
  return {
    attacks,
    unknown: attacks,
    notes: attacks.map((each) => `${each} is unknown in the loaded versions of the attack frameworks. It was kept.`),
  }
}

const onlyOne = (found: readonly Node[]): readonly Node[] => (found.length === 1 ? found : [])

const shown = (text: string): string => text.slice(0, LONGEST_SHOWN)
