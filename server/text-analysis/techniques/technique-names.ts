import { isTechnique, type Node, type Nodes } from '../../attack/classification/nodes.ts'
import { isLive } from '../../attack/classification/references.ts'
import { longestMatches, type Match } from '../names/longest-matches.ts'
import type { Place } from '../names/plausible.ts'
import { type Token, tokensOf } from '../names/tokens.ts'

/** The names of techniques, by the words that texts are divided into. */
export interface TechniqueNames {
  readonly firstWords: ReadonlySet<string>
  /** The places of the techniques with a name. */
  readonly byName: ReadonlyMap<string, readonly Node[]>
}

const indexes = new WeakMap<Nodes, TechniqueNames>()

/** The names of all live techniques. */
export function techniqueNames(nodes: Nodes): TechniqueNames {
  const known = indexes.get(nodes)
  if (known) return known
  const byName = Map.groupBy(
    nodes.all.filter((node) => isTechnique(node) && isLive(node)),
    ({ name }) => nameOf(name),
  )
  const firstWords = new Set([...byName.keys()].map((name) => name.split(' ')[0] ?? ''))
  const names = { byName, firstWords }
  indexes.set(nodes, names)
  return names
}

const nameOf = (text: string): string =>
  tokensOf(text)
    .map(({ word }) => word)
    .join(' ')

/** One word is the name of a technique if it is rare elsewhere, as "Kerberoasting" is. */
const AMBIGUOUS =
  /^(?:accounts?|artificial|botnet|clear|client|cloud|code|credentials|databases?|delivery|digital|dns|domains?|employee|exploits?|firmware|hardware|hypervisor|implant|kernel|malvertising|malware|network|proxy|python|script|server|serverless|software|spoof|theft|tool|visual|vulnerabilities|wordlist)$/

/** The techniques that a text names, in order. */
export function findTechniqueNames(
  nodes: Nodes,
  text: string,
  tokens: readonly Token[],
): Generator<Match<readonly Node[]>> {
  const { firstWords, byName } = techniqueNames(nodes)
  const meaningOf = (name: string, { words }: Place) =>
    words.length === 1 && AMBIGUOUS.test(name) ? undefined : byName.get(name)
  return longestMatches(text, tokens, (word) => firstWords.has(word), meaningOf)
}
